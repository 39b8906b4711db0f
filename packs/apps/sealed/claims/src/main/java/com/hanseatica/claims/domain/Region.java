package com.hanseatica.claims.domain;

public enum Region {
    NORTH, COAST, SOUTH, ISLANDS
}
