package pl.magazyn.depot.repository;

import java.util.ArrayList;
import java.util.List;

/** Conditions that a search for articles is made of. */
public class ArticleFilter {

    private final List<String> conditions = new ArrayList<>();
    private String order = "sku";

    public ArticleFilter named(String part) {
        conditions.add("lower(name) like '%" + part.toLowerCase() + "%'");
        return this;
    }

    public ArticleFilter lighterThan(int kg) {
        conditions.add("kg < " + kg);
        return this;
    }

    public ArticleFilter byName() {
        order = "name";
        return this;
    }

    String sql() {
        String where = conditions.isEmpty() ? "" : " where " + String.join(" and ", conditions);
        return "select sku, name, kg from article" + where + " order by " + order;
    }
}
