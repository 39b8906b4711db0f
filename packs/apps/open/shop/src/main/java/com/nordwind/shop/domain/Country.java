package com.nordwind.shop.domain;

public record Country(String code, String name, int vatPercent) {
}
