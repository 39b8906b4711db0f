package pl.magazyn.depot.repository;

import java.util.List;
import pl.magazyn.depot.db.Db;
import pl.magazyn.depot.domain.Article;

public class ArticleRepository {

    private final Db db;

    public ArticleRepository(Db db) {
        this.db = db;
    }

    public void insert(Article article) {
        db.update("insert into article (sku, name, kg) values (?, ?, ?)", article.sku(), article.name(), article.kg());
    }

    public List<Article> search(ArticleFilter filter) {
        return db.query(filter.sql(),
                rs -> new Article(rs.getString("sku"), rs.getString("name"), rs.getBigDecimal("kg")));
    }
}
