package com.hanseatica.claims.domain;

public enum Peril {
    WATER, STORM, THEFT, FIRE
}
