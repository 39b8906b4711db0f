package pl.magazyn.depot.service;

import java.util.List;
import java.util.stream.Collectors;
import pl.magazyn.depot.domain.Article;
import pl.magazyn.depot.repository.ArticleFilter;
import pl.magazyn.depot.repository.ArticleRepository;

public class ArticleSearch {

    private final ArticleRepository articles;

    public ArticleSearch(ArticleRepository articles) {
        this.articles = articles;
    }

    /** Every word must occur in the name. */
    public List<String> find(List<String> words) {
        ArticleFilter filter = new ArticleFilter().byName();
        words.forEach(filter::named);
        return articles.search(filter).stream().map(Article::sku).collect(Collectors.toList());
    }
}
