package io.viaduct.tolls.service;

import io.viaduct.tolls.domain.Gantry;
import io.viaduct.tolls.domain.VehicleClass;
import java.util.Arrays;
import java.util.Map;

public class TollCalculator {

    private static final int DEFAULT_AXLES = 2;

    public int cents(Gantry gantry, VehicleClass vehicle, Map<String, String> details) {
        return switch (vehicle) {
            case EMERGENCY -> 0;
            case MOTORCYCLE -> gantry.cents() / 2;
            case CAR, VAN -> gantry.cents();
            case LORRY -> gantry.cents() * axles(details) + weightCharge(gantry, details);
        };
    }

    private static int axles(Map<String, String> details) {
        String text = details.get("axles");
        if (text == null) {
            return DEFAULT_AXLES;
        }
        return Arrays.stream(text.split("\\+")).map(String::trim).mapToInt(Integer::parseInt).sum();
    }

    private static int weightCharge(Gantry gantry, Map<String, String> details) {
        return "heavy".equals(details.get("weight")) ? gantry.cents() / 4 : 0;
    }
}
