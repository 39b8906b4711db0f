package com.hanseatica.claims.repository;

import com.hanseatica.claims.domain.Claim;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Repository;

@Repository
public class ClaimRepository {

    private final Map<String, Claim> claims = new LinkedHashMap<>();

    public void save(Claim claim) {
        claims.put(claim.id(), claim);
    }

    public Optional<Claim> find(String id) {
        return Optional.ofNullable(claims.get(id));
    }
}
