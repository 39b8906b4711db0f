package com.hanseatica.claims.intake;

import com.hanseatica.claims.domain.Claim;
import com.hanseatica.claims.domain.CoInsurer;
import com.hanseatica.claims.domain.Cover;
import com.hanseatica.claims.domain.Peril;
import com.hanseatica.claims.domain.Policy;
import com.hanseatica.claims.domain.Region;
import java.math.BigDecimal;
import java.time.LocalDate;
import org.springframework.stereotype.Component;

/** Reads policies and claims as the mainframe sends them, a line each. */
@Component
public class LineReader {

    /** number region from [peril:sum:deductible ..] [name/parts ..] */
    public Policy policy(String[] words) {
        Policy.Builder builder = Policy.number(words[1])
                .in(Region.valueOf(words[2]))
                .from(LocalDate.parse(words[3]));
        for (int i = 4; i < words.length; i++) {
            if (words[i].contains(":")) {
                String[] parts = words[i].split(":");
                builder.covering(new Cover(
                        Peril.valueOf(parts[0]), new BigDecimal(parts[1]), new BigDecimal(parts[2])));
            } else {
                String[] parts = words[i].split("/");
                builder.with(new CoInsurer(parts[0], Integer.parseInt(parts[1])));
            }
        }
        return builder.build();
    }

    /** id kind policy day amount [wind force or police station] */
    public Claim claim(String[] words) {
        LocalDate day = LocalDate.parse(words[4]);
        BigDecimal amount = new BigDecimal(words[5]);
        return switch (words[2]) {
            case "water" -> new Claim.WaterDamage(words[1], words[3], day, amount);
            case "storm" -> new Claim.StormDamage(words[1], words[3], day, amount, Integer.parseInt(words[6]));
            case "theft" -> new Claim.Theft(words[1], words[3], day, amount, words[6]);
            default -> throw new IllegalArgumentException("unknown kind of claim: " + words[2]);
        };
    }
}
