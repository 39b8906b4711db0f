//! Members and classes to make recipes from.

use crate::Subtyping;
use program::{ClassName, FieldRef, MethodRef, Type};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// Members that recipes may use, and the hierarchy of their classes.
#[derive(Clone, Debug, Default)]
pub struct Universe {
    pub constructors: Vec<MethodRef>,
    pub static_methods: Vec<MethodRef>,
    pub methods: Vec<MethodRef>,
    pub constants: Vec<FieldRef>,
    /// Interfaces with their abstract methods, for callbacks.
    pub interfaces: Vec<(ClassName, Vec<MethodRef>)>,
    supers: BTreeMap<ClassName, BTreeSet<ClassName>>,
}

impl Universe {
    /// One item per line:
    ///
    /// ```text
    /// class a/B a/Super a/Interface     all direct supers
    /// new a/B (I)V
    /// static a/B f (I)V
    /// method a/B f (I)V
    /// constant a/B NAME La/B;
    /// interface a/B                     its methods follow
    /// abstract a/B f (I)V
    /// ```
    ///
    /// Panics on anything else: universes are written by tests.
    pub fn parse(text: &str) -> Universe {
        let mut universe = Universe::default();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                ["class", class, ref supers @ ..] => {
                    let supers = supers.iter().map(|name| ClassName::internal(name));
                    universe.supers.entry(ClassName::internal(class)).or_default().extend(supers);
                }
                ["new", class, descriptor] => {
                    universe.constructors.push(MethodRef::new(class, "<init>", descriptor));
                }
                ["static", class, name, descriptor] => {
                    universe.static_methods.push(MethodRef::new(class, name, descriptor));
                }
                ["method", class, name, descriptor] => universe.methods.push(MethodRef::new(class, name, descriptor)),
                ["constant", class, name, descriptor] => {
                    universe.constants.push(FieldRef::new(class, name, descriptor));
                }
                ["interface", class] => universe.interfaces.push((ClassName::internal(class), Vec::new())),
                ["abstract", class, name, descriptor] => {
                    let methods = universe.interfaces.last_mut().map(|(_, methods)| methods);
                    methods
                        .expect("an interface stands before its methods")
                        .push(MethodRef::new(class, name, descriptor));
                }
                _ => panic!("not an item of a universe: {line}"),
            }
        }
        universe
    }

    /// The methods that an object of this static type has.
    pub fn methods_of(&self, ty: Type) -> Vec<MethodRef> {
        let Some(class) = ty.as_class() else { return Vec::new() };
        self.methods.iter().filter(|method| self.is_subtype(class, method.class)).copied().collect()
    }
}

impl Subtyping for Universe {
    fn is_subtype(&self, sub: ClassName, sup: ClassName) -> bool {
        if sub == sup || sup == ClassName::object() {
            return true;
        }
        self.supers.get(&sub).is_some_and(|supers| supers.iter().any(|above| self.is_subtype(*above, sup)))
    }
}

/// Members of the JDK that end quickly, touch nothing outside and do the same in every run and on every JDK.
pub fn jdk() -> &'static Universe {
    static JDK: OnceLock<Universe> = OnceLock::new();
    JDK.get_or_init(|| Universe::parse(JDK_MEMBERS))
}

const JDK_MEMBERS: &str = "
    class java/lang/String java/lang/CharSequence java/lang/Comparable
    class java/lang/StringBuilder java/lang/CharSequence
    class java/lang/Integer java/lang/Number java/lang/Comparable
    class java/lang/Long java/lang/Number java/lang/Comparable
    class java/lang/Double java/lang/Number java/lang/Comparable
    class java/lang/Byte java/lang/Number java/lang/Comparable
    class java/lang/Short java/lang/Number java/lang/Comparable
    class java/lang/Float java/lang/Number java/lang/Comparable
    class java/lang/Character java/lang/Comparable
    class java/lang/Boolean java/lang/Comparable
    class java/util/Collection java/lang/Iterable
    class java/util/List java/util/Collection
    class java/util/Set java/util/Collection
    class java/util/Queue java/util/Collection
    class java/util/Deque java/util/Queue
    class java/util/AbstractList java/util/List
    class java/util/ArrayList java/util/AbstractList
    class java/util/LinkedList java/util/AbstractList java/util/Deque
    class java/util/HashSet java/util/Set
    class java/util/LinkedHashSet java/util/HashSet
    class java/util/TreeSet java/util/Set
    class java/util/HashMap java/util/Map
    class java/util/LinkedHashMap java/util/HashMap
    class java/util/TreeMap java/util/Map
    class java/util/Hashtable java/util/Map
    class java/util/Properties java/util/Hashtable
    class java/util/ListIterator java/util/Iterator
    class java/util/concurrent/TimeUnit java/lang/Comparable
    class java/io/StringReader java/io/Reader
    class java/io/BufferedReader java/io/Reader
    class java/io/ByteArrayInputStream java/io/InputStream

    new java/lang/Object ()V
    new java/lang/String ([C)V
    new java/lang/StringBuilder ()V
    new java/lang/StringBuilder (Ljava/lang/String;)V
    new java/util/ArrayList ()V
    new java/util/ArrayList (I)V
    new java/util/ArrayList (Ljava/util/Collection;)V
    new java/util/LinkedList ()V
    new java/util/HashMap ()V
    new java/util/HashMap (I)V
    new java/util/TreeMap ()V
    new java/util/TreeMap (Ljava/util/Comparator;)V
    new java/util/TreeSet (Ljava/util/Collection;)V
    new java/util/BitSet (I)V
    new java/util/StringTokenizer (Ljava/lang/String;Ljava/lang/String;)V
    new java/lang/IllegalStateException (Ljava/lang/String;Ljava/lang/Throwable;)V

    static java/lang/Integer parseInt (Ljava/lang/String;)I
    static java/lang/Integer valueOf (I)Ljava/lang/Integer;
    static java/lang/Long parseLong (Ljava/lang/String;I)J
    static java/lang/Character isDigit (C)Z
    static java/lang/Math abs (I)I
    static java/lang/Math floorDiv (II)I
    static java/lang/Math max (DD)D
    static java/lang/String valueOf (Ljava/lang/Object;)Ljava/lang/String;
    static java/util/Arrays asList ([Ljava/lang/Object;)Ljava/util/List;
    static java/util/Arrays copyOf ([II)[I
    static java/util/Arrays fill ([IIII)V
    static java/util/Collections emptyList ()Ljava/util/List;
    static java/util/Collections unmodifiableList (Ljava/util/List;)Ljava/util/List;
    static java/util/Collections max (Ljava/util/Collection;)Ljava/lang/Object;
    static java/util/Collections sort (Ljava/util/List;Ljava/util/Comparator;)V
    static java/util/Objects requireNonNull (Ljava/lang/Object;Ljava/lang/String;)Ljava/lang/Object;

    method java/lang/Object toString ()Ljava/lang/String;
    method java/lang/Object equals (Ljava/lang/Object;)Z
    method java/lang/CharSequence charAt (I)C
    method java/lang/CharSequence length ()I
    method java/lang/String substring (II)Ljava/lang/String;
    method java/lang/String toCharArray ()[C
    method java/lang/Comparable compareTo (Ljava/lang/Object;)I
    method java/lang/StringBuilder append (Ljava/lang/Object;)Ljava/lang/StringBuilder;
    method java/lang/StringBuilder deleteCharAt (I)Ljava/lang/StringBuilder;
    method java/lang/StringBuilder setLength (I)V
    method java/lang/Number intValue ()I
    method java/lang/Iterable iterator ()Ljava/util/Iterator;
    method java/util/Collection add (Ljava/lang/Object;)Z
    method java/util/Collection addAll (Ljava/util/Collection;)Z
    method java/util/Collection contains (Ljava/lang/Object;)Z
    method java/util/Collection size ()I
    method java/util/Collection toArray ()[Ljava/lang/Object;
    method java/util/List get (I)Ljava/lang/Object;
    method java/util/List set (ILjava/lang/Object;)Ljava/lang/Object;
    method java/util/List remove (I)Ljava/lang/Object;
    method java/util/List subList (II)Ljava/util/List;
    method java/util/List listIterator (I)Ljava/util/ListIterator;
    method java/util/Deque pop ()Ljava/lang/Object;
    method java/util/Iterator next ()Ljava/lang/Object;
    method java/util/Iterator remove ()V
    method java/util/ListIterator set (Ljava/lang/Object;)V
    method java/util/Map put (Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;
    method java/util/Map get (Ljava/lang/Object;)Ljava/lang/Object;
    method java/util/Map keySet ()Ljava/util/Set;
    method java/util/TreeMap firstKey ()Ljava/lang/Object;
    method java/util/Properties setProperty (Ljava/lang/String;Ljava/lang/String;)Ljava/lang/Object;
    method java/util/BitSet set (I)V
    method java/util/BitSet get (II)Ljava/util/BitSet;
    method java/util/StringTokenizer nextToken ()Ljava/lang/String;
    method java/util/concurrent/TimeUnit toMillis (J)J
    method java/io/Reader read ([CII)I
    method java/io/BufferedReader readLine ()Ljava/lang/String;
    method java/io/InputStream skip (J)J
    method java/lang/Runnable run ()V

    constant java/util/concurrent/TimeUnit SECONDS Ljava/util/concurrent/TimeUnit;
    constant java/util/concurrent/TimeUnit DAYS Ljava/util/concurrent/TimeUnit;

    interface java/util/Comparator
    abstract java/util/Comparator compare (Ljava/lang/Object;Ljava/lang/Object;)I
    interface java/lang/Runnable
    abstract java/lang/Runnable run ()V
    interface java/util/Iterator
    abstract java/util/Iterator hasNext ()Z
    abstract java/util/Iterator next ()Ljava/lang/Object;
";
