//! Which tables does a statement need? A statement that a message quotes, or a sample, fails on an empty database before it gets
//! anywhere; the names in it tell what has to be created first. A look at the words only: no grammar of any database.

/// A table by the names that a statement uses, as written there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    pub name: String,
    pub columns: Vec<String>,
}

/// Words after which a table is named.
const BEFORE_TABLES: [&str; 5] = ["FROM", "JOIN", "INTO", "UPDATE", "USING"];
/// Words that name nothing. Names of types and functions are told by their place.
const KEYWORDS: [&str; 80] = [
    "ALL",
    "AND",
    "ANY",
    "AS",
    "ASC",
    "BETWEEN",
    "BY",
    "CASE",
    "CAST",
    "CROSS",
    "CURRENT_DATE",
    "CURRENT_TIMESTAMP",
    "DEFAULT",
    "DELETE",
    "DESC",
    "DISTINCT",
    "DO",
    "DUPLICATE",
    "ELSE",
    "END",
    "ESCAPE",
    "EXCEPT",
    "EXISTS",
    "EXPLAIN",
    "FALSE",
    "FETCH",
    "FILTER",
    "FIRST",
    "FOR",
    "FROM",
    "FULL",
    "GROUP",
    "HAVING",
    "IF",
    "IN",
    "INNER",
    "INSERT",
    "INTERSECT",
    "INTO",
    "IS",
    "JOIN",
    "KEY",
    "LAST",
    "LATERAL",
    "LEFT",
    "LIKE",
    "LIMIT",
    "MATCHED",
    "MERGE",
    "MINUS",
    "NATURAL",
    "NEXT",
    "NOT",
    "NULL",
    "NULLS",
    "OFFSET",
    "ON",
    "ONLY",
    "OR",
    "ORDER",
    "OUTER",
    "OVER",
    "PARTITION",
    "RECURSIVE",
    "RIGHT",
    "ROW",
    "ROWS",
    "SELECT",
    "SET",
    "THEN",
    "TRUE",
    "UNION",
    "UNIQUE",
    "UPDATE",
    "USING",
    "VALUES",
    "WHEN",
    "WHERE",
    "WINDOW",
    "WITH",
];
/// Types that a column is given.
pub const TYPES: [&str; 4] = ["INT", "VARCHAR(100)", "BIGINT", "TIMESTAMP"];

/// What a column may be bound to. What a row may not be is what many statements fail on.
pub const CONSTRAINTS: [&str; 3] = [" PRIMARY KEY", " NOT NULL", " UNIQUE"];

/// Whether the statement changes rows of its table, and does not only look at them.
pub fn is_writing(statement: &str) -> bool {
    let first = tokens(statement).first().map(|token| token.to_uppercase());
    first.is_some_and(|first| ["INSERT", "UPDATE", "DELETE", "MERGE"].contains(&first.as_str()))
}

/// The tables that the statement reads or writes. Empty for one that creates its own, and for what is not SQL.
pub fn tables(statement: &str) -> Vec<Table> {
    let tokens = tokens(statement);
    let first = tokens.first().map(|token| token.to_uppercase());
    const USING: [&str; 8] = ["SELECT", "INSERT", "UPDATE", "DELETE", "MERGE", "WITH", "EXPLAIN", "("];
    if !first.is_some_and(|first| USING.contains(&first.as_str())) {
        return Vec::new();
    }
    let common: Vec<&str> = (0..tokens.len()).filter(|at| is_common(&tokens, *at)).map(|at| tokens[at]).collect();
    let mut tables: Vec<Table> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let is_same = |name: &str| name.eq_ignore_ascii_case(token);
        let is_known = common.iter().any(|name| is_same(name)) || tables.iter().any(|table| is_same(&table.name));
        if is_table(&tokens, at) && !is_known {
            tables.push(Table { name: (*token).to_owned(), columns: Vec::new() });
        }
    }
    for at in 0..tokens.len() {
        if is_column(&tokens, at) {
            add_column(&mut tables, &tokens, at);
        }
    }
    tables
}

impl Table {
    /// The statement that creates it, with a type for each column and a constraint of one of them. A table of which no column is
    /// known has one.
    pub fn creation(&self, types: &[&str], constraint: Option<(usize, &str)>) -> String {
        let mut columns: Vec<String> = match self.columns.as_slice() {
            [] => vec!["id INT".to_owned()],
            columns => columns.iter().zip(types).map(|(column, ty)| format!("{column} {ty}")).collect(),
        };
        if let Some((at, constraint)) = constraint
            && let Some(column) = columns.get_mut(at)
        {
            column.push_str(constraint);
        }
        format!("CREATE TABLE {}({})", self.name, columns.join(", "))
    }
}

/// Names, numbers, quoted texts, signs; white space goes.
fn tokens(statement: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = statement.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        let end = match first {
            '\'' | '"' | '`' => rest[1..].find(first).map_or(rest.len(), |end| end + 2),
            _ if is_part(first) => rest.find(|c| !is_part(c)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        found.push(&rest[..end]);
        rest = rest[end..].trim_start();
    }
    found
}

fn is_name(token: &str) -> bool {
    let starts = token.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_' || c == '"' || c == '`');
    starts && !KEYWORDS.contains(&token.to_uppercase().as_str())
}

/// A name behind a word that says "table", unless it is a schema's or a function's.
fn is_table(tokens: &[&str], at: usize) -> bool {
    let before = at.checked_sub(1).map_or("", |before| tokens[before]).to_uppercase();
    let next = tokens.get(at + 1).copied().unwrap_or_default();
    let is_function = next == "(" && before != "INTO";
    is_name(tokens[at]) && BEFORE_TABLES.contains(&before.as_str()) && next != "." && !is_function
}

/// A common table expression: `name AS (`, at which place it is defined.
fn is_common(tokens: &[&str], at: usize) -> bool {
    let is = |at: usize, word: &str| tokens.get(at).is_some_and(|token| token.eq_ignore_ascii_case(word));
    is_name(tokens[at]) && is(at + 1, "AS") && is(at + 2, "(")
}

/// An alias, at the place where it is given: behind `AS`, a closing bracket, a number or another name.
fn is_alias(tokens: &[&str], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|before| tokens[before]) else { return false };
    before == ")" || before.eq_ignore_ascii_case("AS") || is_name(before) || before.bytes().all(|c| c.is_ascii_digit())
}

/// A name that is no function, no alias, nothing before a dot, and not behind a word that says "table".
fn is_column(tokens: &[&str], at: usize) -> bool {
    let next = tokens.get(at + 1).copied().unwrap_or_default();
    let before = at.checked_sub(1).map_or("", |before| tokens[before]).to_uppercase();
    is_name(tokens[at])
        && next != "("
        && next != "."
        && !is_alias(tokens, at)
        && !is_common(tokens, at)
        && !BEFORE_TABLES.contains(&before.as_str())
}

/// Goes to the table that it is qualified with, otherwise to all.
fn add_column(tables: &mut [Table], tokens: &[&str], at: usize) {
    let qualifier = (at >= 2 && tokens[at - 1] == ".").then(|| tokens[at - 2]);
    let is_owner = |table: &Table| qualifier.is_none_or(|qualifier| table.name.eq_ignore_ascii_case(qualifier));
    let anybody = !tables.iter().any(&is_owner);
    for table in tables.iter_mut().filter(|table| anybody || is_owner(table)) {
        if table.columns.iter().all(|column| !column.eq_ignore_ascii_case(tokens[at])) {
            table.columns.push(tokens[at].to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(statement: &str) -> Vec<String> {
        tables(statement).iter().map(|table| format!("{}({})", table.name, table.columns.join(", "))).collect()
    }

    #[test]
    fn names_tell_what_must_exist() {
        assert_eq!(shown("SELECT DISTINCT a, b FROM t WHERE c = 'x' ORDER BY a"), ["t(a, b, c)"]);
        assert_eq!(shown("select p.x from p join q on p.id = q.pid"), ["p(x, id)", "q(pid)"]);
        assert_eq!(shown("INSERT INTO t (a, b) VALUES (1, 'from z')"), ["t(a, b)"]);
        assert_eq!(shown("UPDATE t SET a = coalesce(b, 1)"), ["t(a, b)"]);
        assert_eq!(shown("SELECT 1 FROM t x JOIN T y ON x.a = y.b"), ["t(a, b)"]);
        assert_eq!(shown("SELECT a FROM s.t, LATERAL f(1)"), Vec::<String>::new());
        assert_eq!(shown("WITH c AS (SELECT a FROM t) SELECT * FROM c"), ["t(a)"]);
        assert_eq!(
            shown("MERGE INTO t USING (SELECT 1 a) s ON (a = 1) WHEN NOT MATCHED THEN INSERT (a, b) VALUES (1, 1)"),
            ["t(a, b)"]
        );
    }

    #[test]
    fn what_creates_or_is_no_statement_needs_nothing() {
        for text in ["CREATE TABLE t(a INT)", "from here to there", "", "{\"a\": 1}", "SELECT 1"] {
            assert_eq!(shown(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn a_table_is_created_with_its_columns() {
        let table = Table { name: "t".to_owned(), columns: vec!["a".to_owned(), "b".to_owned()] };
        let made = table.creation(&[TYPES[0], TYPES[1]], Some((1, CONSTRAINTS[1])));
        assert_eq!(made, "CREATE TABLE t(a INT, b VARCHAR(100) NOT NULL)");
        let unknown = Table { name: "u".to_owned(), columns: Vec::new() };
        assert_eq!(unknown.creation(&[], Some((0, CONSTRAINTS[0]))), "CREATE TABLE u(id INT PRIMARY KEY)");
    }

    #[test]
    fn any_text_is_taken() {
        for text in
            ["SELECT 'a", "SELECT \u{e9}\u{1F600} FROM \u{e9}", "INSERT INTO", "UPDATE . .", "(((((", "WITH AS ("]
        {
            tables(text);
        }
    }
}
