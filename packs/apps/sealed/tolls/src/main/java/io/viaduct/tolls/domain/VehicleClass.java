package io.viaduct.tolls.domain;

public enum VehicleClass {
    MOTORCYCLE, CAR, VAN, LORRY, EMERGENCY;

    public boolean paysByAxle() {
        return this == LORRY;
    }
}
