//! How is a database of the program reached? By a URL that one of its JDBC drivers knows ([`documents::database`]).

use super::Catalogue;
use super::way::{How, Way};
use crate::callable::Callable;
use crate::subtypes::nearest_subtypes;
use documents::database;
use program::{ClassName, MethodRef, Type};
use recipe::{Access, JavaString};

impl Catalogue {
    /// URLs to try, the likeliest first; none for a program without a driver.
    pub fn database_urls(&self) -> &[JavaString] {
        self.database_urls.get_or_init(|| self.find_database_urls())
    }

    fn find_database_urls(&self) -> Vec<JavaString> {
        let drivers = nearest_subtypes(self, ClassName::internal("java/sql/Driver"), self.policy.ways.drivers);
        let connects =
            drivers.into_iter().filter(|driver| self.program.is_application_default(*driver)).map(|driver| {
                let descriptor = "(Ljava/lang/String;Ljava/util/Properties;)Ljava/sql/Connection;";
                MethodRef::new(driver.as_internal(), "connect", descriptor)
            });
        let words: Vec<String> =
            connects.flat_map(|method| self.vocabulary(method).to_vec()).map(|word| word.to_lossy()).collect();
        database::urls(words.iter().map(String::as_str)).iter().map(|url| JavaString::new(url)).collect()
    }

    /// The driver manager, for the class of connections that the program's driver gives. For connections as such the table of
    /// JDK ways has it.
    pub(super) fn connecting(&self, wanted: ClassName) -> Option<Way> {
        let connection = ClassName::internal("java/sql/Connection");
        let is_given = self.program.is_application_default(wanted)
            && self.is_subclass(wanted, connection)
            && !self.decorates(wanted, connection);
        if !is_given || self.database_urls().is_empty() {
            return None;
        }
        let descriptor = "(Ljava/lang/String;)Ljava/sql/Connection;";
        let callable = self.callable(MethodRef::new("java/sql/DriverManager", "getConnection", descriptor))?;
        let (how, yields) = (How::Call(callable), Type::Class(connection));
        Some(Way { how, access: Access::Public, yields, creates: Some(wanted), weight: self.policy.ways.connection })
    }

    /// Whether a class above it is a connection already: then it is a special one, for pools and the like.
    fn decorates(&self, class: ClassName, connection: ClassName) -> bool {
        let above = self.program.class(class).and_then(|class| class.super_class);
        above.is_some_and(|above| self.is_subclass(above, connection))
    }

    /// Whether the method's first text is the URL of a database.
    pub fn takes_database_url(&self, callable: &Callable) -> bool {
        let class = callable.method.class;
        let is = |name: &str| self.is_subclass(class, ClassName::internal(name));
        match callable.method.name.as_str() {
            "getConnection" => class.as_internal() == "java/sql/DriverManager",
            "connect" | "acceptsURL" => is("java/sql/Driver"),
            "<init>" => is("java/sql/Connection"),
            "setURL" | "setUrl" => is("javax/sql/CommonDataSource"),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::AccessContext;
    use crate::testing::{jdk_only, program_of};

    #[test]
    fn a_database_is_asked_for_by_a_url_that_its_driver_knows() {
        let catalogue = Catalogue::new(program_of(&["com.h2database/h2/1.4.200"]), &[]);
        assert_eq!(catalogue.database_urls()[0].to_lossy(), "jdbc:h2:mem:");
        let best = |class: &str| catalogue.ways(Type::class(class), AccessContext::public())[0].to_string();
        let ask = "java.sql.DriverManager.getConnection(java.lang.String)";
        assert_eq!(best("java/sql/Connection"), ask);
        assert_eq!(best("org/h2/jdbc/JdbcConnection"), format!("{ask} -> org.h2.jdbc.JdbcConnection"));
    }

    #[test]
    fn without_a_driver_there_is_no_database() {
        assert!(Catalogue::new(jdk_only(), &[]).database_urls().is_empty());
    }
}
