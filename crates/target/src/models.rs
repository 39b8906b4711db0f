//! What bytecode cannot tell: natives of the JDK that check their arguments, and details of its representation (how a
//! string stores its characters, boxes) that nobody means when they speak of values.

use condition::{BinaryOp, CompareOp, Condition, Const, Expr, Predicate};
use program::{MethodRef, Type};

/// An expression as people would write it: without boxing, and with `length()` for the insides of strings.
pub(crate) fn simplified(expr: Expr) -> Expr {
    match expr {
        Expr::CallResult { callee, mut args, .. } if is_boxing(callee) && args.len() == 1 => args.remove(0),
        // Two bytes per character, or one: either way it is the length.
        Expr::Binary(BinaryOp::Shr, left, _) if is_string_length(&left) => *left,
        Expr::Length(ref array) => match array.as_ref() {
            Expr::Field(string, field) if is_string_value(field) => string_length(string),
            _ => expr,
        },
        Expr::CallResult { at, callee, args } if callee.class.as_internal() == "java/lang/StringUTF16" => {
            // `StringUTF16.length(value)`
            match args.first() {
                Some(Expr::Field(string, field)) if callee.name.as_str() == "length" && is_string_value(field) => {
                    string_length(string)
                }
                _ => Expr::CallResult { at, callee, args },
            }
        }
        other => other,
    }
}

fn is_string_value(field: &program::FieldRef) -> bool {
    field.class.as_internal() == "java/lang/String" && field.name.as_str() == "value"
}

fn string_length(string: &Expr) -> Expr {
    let callee = MethodRef::new("java/lang/String", "length", "()I");
    let at = program::CodePoint { method: callee, at: program::InstrId::at(0) };
    Expr::CallResult { at, callee, args: vec![string.clone()] }
}

fn is_string_length(expr: &Expr) -> bool {
    matches!(expr, Expr::CallResult { callee, .. } if callee.name.as_str() == "length" && callee.class.as_internal() == "java/lang/String")
}

/// `Integer.valueOf(int)` and `Integer.intValue()`, for all boxes.
pub(crate) fn is_boxing(callee: MethodRef) -> bool {
    const BOXES: &[(&str, &str, &str)] = &[
        ("java/lang/Boolean", "Z", "booleanValue"),
        ("java/lang/Byte", "B", "byteValue"),
        ("java/lang/Character", "C", "charValue"),
        ("java/lang/Short", "S", "shortValue"),
        ("java/lang/Integer", "I", "intValue"),
        ("java/lang/Long", "J", "longValue"),
        ("java/lang/Float", "F", "floatValue"),
        ("java/lang/Double", "D", "doubleValue"),
    ];
    let Some((class, primitive, unbox)) = BOXES.iter().find(|(class, ..)| *class == callee.class.as_internal()) else {
        return false;
    };
    let descriptor = callee.descriptor.as_str();
    match callee.name.as_str() {
        "valueOf" => descriptor == format!("({primitive})L{class};"),
        name => name == *unbox,
    }
}

/// Values that cannot be null, whatever the program does.
pub(crate) fn is_never_null(expr: &Expr) -> bool {
    match expr {
        Expr::This | Expr::Created(..) | Expr::Caught(_) | Expr::Const(Const::String(_) | Const::Class(_)) => true,
        Expr::CallResult { callee, .. } => never_returns_null(*callee),
        Expr::Field(_, field) => is_string_value(field),
        _ => false,
    }
}

/// Methods of final classes of the JDK that always return an object.
pub(crate) fn never_returns_null(method: MethodRef) -> bool {
    match (method.class.as_internal(), method.name.as_str()) {
        // Those that do return null: for a property that is not set, a character without name, a function that does.
        ("java/lang/Integer", "getInteger") | ("java/lang/Long", "getLong") => false,
        ("java/lang/Character", "getName") | ("java/lang/String", "transform") => false,
        ("java/lang/String" | "java/lang/StringBuilder" | "java/lang/StringBuffer", _) => true,
        ("java/lang/Class", "getName" | "getSimpleName" | "getTypeName") => true,
        ("java/lang/Integer" | "java/lang/Long" | "java/lang/Double" | "java/lang/Float", _) => true,
        ("java/lang/Short" | "java/lang/Byte" | "java/lang/Character" | "java/lang/Boolean", _) => true,
        (_, "getClass") => method.descriptor.as_str() == "()Ljava/lang/Class;",
        _ => false,
    }
}

/// A field of the JDK's own, which keeps it set.
pub(crate) fn is_internal(expr: &Expr, is_jdk: impl Fn(program::ClassName) -> bool) -> bool {
    matches!(expr, Expr::Field(_, field) | Expr::Static(field) if is_jdk(field.class))
}

/// Whether a branch only chooses between representations of the same value, so that both sides mean the same.
pub(crate) fn is_representation(expr: &Expr) -> bool {
    match expr {
        Expr::CallResult { callee, .. } => {
            matches!(callee.class.as_internal(), "java/lang/String" | "java/lang/AbstractStringBuilder")
                && matches!(callee.name.as_str(), "isLatin1" | "coder")
        }
        Expr::Field(_, field) | Expr::Static(field) => {
            matches!(field.class.as_internal(), "java/lang/String" | "java/lang/AbstractStringBuilder")
                && matches!(field.name.as_str(), "coder" | "COMPACT_STRINGS")
                // Whether assertions are on says nothing about the arguments.
                || field.name.as_str() == "$assertionsDisabled"
        }
        _ => false,
    }
}

/// A boolean call as a predicate that search can grade.
pub(crate) fn predicate(callee: MethodRef) -> Option<Predicate> {
    let object = "(Ljava/lang/Object;)Z";
    let string = "(Ljava/lang/String;)Z";
    Some(match (callee.class.as_internal(), callee.name.as_str(), callee.descriptor.as_str()) {
        ("java/lang/String", "equals", d) if d == object => Predicate::StringEquals,
        ("java/lang/String", "equalsIgnoreCase", d) if d == string => Predicate::StringEqualsIgnoreCase,
        ("java/lang/String", "startsWith", d) if d == string => Predicate::StringStartsWith,
        ("java/lang/String", "endsWith", d) if d == string => Predicate::StringEndsWith,
        ("java/lang/String", "contains", _) => Predicate::StringContains,
        (_, "containsKey", d) if d == object => Predicate::ContainsKey,
        (_, "contains", d) if d == object => Predicate::ContainsElement,
        _ => return None,
    })
}

/// When a native method throws `exception` (internal name), over its arguments, receiver first; `None` if there is no model.
pub(crate) fn native(callee: MethodRef, exception: &str, args: &[Expr]) -> Option<Condition> {
    match (callee.class.as_internal(), callee.name.as_str()) {
        ("java/lang/System", "arraycopy") => array_copy(exception, args),
        ("java/lang/reflect/Array", "newArray" | "newInstance" | "multiNewArray") => new_array(exception, args),
        ("java/lang/reflect/Array", name) if name.starts_with("get") || name.starts_with("set") => {
            array_access(exception, name, args)
        }
        ("java/lang/Object", "wait" | "notify" | "notifyAll") => None,
        ("java/lang/Thread", "sleep" | "sleep0") => match exception {
            "java/lang/IllegalArgumentException" => Some(negative(args.first()?.clone())),
            _ => None,
        },
        _ => None,
    }
}

fn array_copy(exception: &str, args: &[Expr]) -> Option<Condition> {
    let [source, source_at, target, target_at, count] = args else { return None };
    let exceeds = |array: &Expr, at: &Expr| {
        // The sum of the two may overflow; the difference does not, unless the position is negative, which is enough by itself.
        let room = Expr::binary(BinaryOp::Sub, Expr::Length(Box::new(array.clone())), at.clone());
        Condition::compare_ints(count.clone(), CompareOp::Gt, room)
    };
    match exception {
        "java/lang/NullPointerException" => {
            Some(Condition::any([Condition::IsNull(source.clone()), Condition::IsNull(target.clone())]))
        }
        "java/lang/ArrayIndexOutOfBoundsException" | "java/lang/IndexOutOfBoundsException" => Some(Condition::any([
            negative(source_at.clone()),
            negative(target_at.clone()),
            negative(count.clone()),
            exceeds(source, source_at),
            exceeds(target, target_at),
        ])),
        "java/lang/ArrayStoreException" => {
            // The first element copied stands for all; arrays of different primitive types do not fit either.
            let first = Expr::Element(Box::new(source.clone()), Box::new(source_at.clone()));
            Some(Condition::Not(Box::new(Condition::Storable { array: target.clone(), value: first })))
        }
        _ => None,
    }
}

fn new_array(exception: &str, args: &[Expr]) -> Option<Condition> {
    match exception {
        "java/lang/NegativeArraySizeException" => Some(negative(args.get(1)?.clone())),
        "java/lang/NullPointerException" => Some(Condition::IsNull(args.first()?.clone())),
        "java/lang/IllegalArgumentException" => Some(Condition::Same(
            args.first()?.clone(),
            Expr::Static(program::FieldRef::new("java/lang/Void", "TYPE", "Ljava/lang/Class;")),
        )),
        _ => None,
    }
}

fn array_access(exception: &str, name: &str, args: &[Expr]) -> Option<Condition> {
    let array = args.first()?.clone();
    match exception {
        "java/lang/NullPointerException" => Some(Condition::IsNull(array)),
        "java/lang/ArrayIndexOutOfBoundsException" if name != "getLength" => {
            Some(out_of_bounds(args.get(1)?.clone(), Expr::Length(Box::new(array))))
        }
        "java/lang/IllegalArgumentException" => {
            let objects = Type::array_of(Type::class("java/lang/Object"));
            Some(Condition::Not(Box::new(Condition::InstanceOf(array, objects))))
        }
        _ => None,
    }
}

fn negative(value: Expr) -> Condition {
    Condition::compare_ints(value, CompareOp::Lt, Expr::int(0))
}

/// `index < 0 || index >= length`
pub(crate) fn out_of_bounds(index: Expr, length: Expr) -> Condition {
    Condition::any([negative(index.clone()), Condition::compare_ints(index, CompareOp::Ge, length)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_never_returns_null() {
        let method = |class, name, descriptor| never_returns_null(MethodRef::new(class, name, descriptor));
        assert!(method("java/lang/Integer", "valueOf", "(I)Ljava/lang/Integer;"));
        assert!(method("java/lang/String", "trim", "()Ljava/lang/String;"));
        assert!(!method("java/lang/Integer", "getInteger", "(Ljava/lang/String;)Ljava/lang/Integer;"));
        assert!(!method("java/lang/Long", "getLong", "(Ljava/lang/String;)Ljava/lang/Long;"));
        assert!(!method("java/lang/Character", "getName", "(I)Ljava/lang/String;"));
        assert!(!method("java/lang/String", "transform", "(Ljava/util/function/Function;)Ljava/lang/Object;"));
    }
}
