package com.hanseatica.claims.repository;

import com.hanseatica.claims.domain.Peril;
import com.hanseatica.claims.domain.Region;
import java.math.BigDecimal;
import java.util.EnumMap;
import java.util.Map;
import org.springframework.stereotype.Repository;

/** The most that is paid for a peril in a region, whatever the policy says. */
@Repository
public class LimitTable {

    private final Map<Region, Map<Peril, BigDecimal>> limits = new EnumMap<>(Region.class);

    public void set(Region region, Peril peril, BigDecimal limit) {
        limits.computeIfAbsent(region, r -> new EnumMap<>(Peril.class)).put(peril, limit);
    }

    public boolean isLimited(Peril peril) {
        return limits.values().stream().anyMatch(byPeril -> byPeril.containsKey(peril));
    }

    public BigDecimal limit(Region region, Peril peril) {
        return limits.get(region).getOrDefault(peril, BigDecimal.valueOf(Long.MAX_VALUE));
    }
}
