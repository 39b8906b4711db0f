package io.viaduct.tolls.domain;

public record Tag(String id, String account, VehicleClass vehicle) {
}
