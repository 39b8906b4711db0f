//! Random method bodies as Java source: arithmetic of all kinds, arrays, fields of small objects, texts, loops with bounds, switches,
//! exceptions that are caught or not. Every body ends, and compiles.

use crate::inputs::Random;
use std::fmt::Write;

/// Types of variables and expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ty {
    Int,
    Long,
    Float,
    Double,
    Byte,
    Char,
    Boolean,
    Text,
    Ints,
    Cell,
}

const NUMBERS: [Ty; 4] = [Ty::Int, Ty::Long, Ty::Float, Ty::Double];

impl Ty {
    fn name(self) -> &'static str {
        match self {
            Ty::Int => "int",
            Ty::Long => "long",
            Ty::Float => "float",
            Ty::Double => "double",
            Ty::Byte => "byte",
            Ty::Char => "char",
            Ty::Boolean => "boolean",
            Ty::Text => "String",
            Ty::Ints => "int[]",
            Ty::Cell => "Cell",
        }
    }
}

/// Methods that call no others: the others may call them.
const SIMPLE_EVERY: usize = 4;
/// Statements in each other.
const DEEPEST: usize = 3;

/// A class with so many methods `m0`, `m1`, ...
pub(crate) fn class(name: &str, methods: usize, random: &mut Random) -> String {
    let mut text = format!("public class {name} {{\n");
    text.push_str(
        "    static class Cell {\n        int a;\n        long b;\n        float c;\n        byte d;\n        boolean e;\n        \
         char f;\n        Cell next;\n        int[] array;\n        Object object;\n        Cell(int a) {\n            this.a = \
         a;\n        }\n        int twice() {\n            return a * 2;\n        }\n    }\n    static class Sub extends Cell {\n        \
         Sub(int a) {\n            super(a + 1);\n        }\n        int twice() {\n            return a / (a - 3);\n        }\n    }\n",
    );
    for number in 0..methods {
        text.push_str(&method(number, random));
    }
    text.push_str("}\n");
    text
}

fn method(number: usize, random: &mut Random) -> String {
    let result = [Ty::Int, Ty::Long, Ty::Float, Ty::Double, Ty::Text][random.choose(5)];
    let mut writer = Writer {
        random,
        text: String::new(),
        indent: 2,
        scope: vec![
            ("p".into(), Ty::Int, true),
            ("q".into(), Ty::Long, true),
            ("r".into(), [Ty::Float, Ty::Double][number % 2], true),
            ("xs".into(), Ty::Ints, true),
            ("s".into(), [Ty::Byte, Ty::Char, Ty::Boolean][number % 3], true),
        ],
        names: 0,
        loops: 0,
        callable: if number.is_multiple_of(SIMPLE_EVERY) { 0 } else { number },
    };
    let parameters: Vec<String> = writer.scope.iter().map(|(name, ty, _)| format!("{} {name}", ty.name())).collect();
    for ty in [Ty::Int, Ty::Cell, Ty::Ints] {
        writer.declare(ty);
    }
    for _ in 0..1 + writer.random.choose(4) {
        writer.statement(0);
    }
    let value = writer.expression(result, 2);
    writer.line(&format!("return {value};"));
    let head = format!("    static {} m{number}({})", result.name(), parameters.join(", "));
    format!("{head} {{\n{}    }}\n", writer.text)
}

struct Writer<'r> {
    random: &'r mut Random,
    text: String,
    indent: usize,
    /// Variables, and whether they may be assigned.
    scope: Vec<(String, Ty, bool)>,
    names: usize,
    /// Loops around.
    loops: usize,
    /// Methods below this number that are simple may be called.
    callable: usize,
}

impl Writer<'_> {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{:1$}{line}", "", self.indent * 4);
    }

    fn fresh(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    fn declare(&mut self, ty: Ty) {
        let value = self.expression(ty, 2);
        let name = self.fresh();
        self.line(&format!("{} {name} = {value};", ty.name()));
        self.scope.push((name, ty, true));
    }

    fn block(&mut self, depth: usize, head: &str) {
        self.line(&format!("{head} {{"));
        self.indent += 1;
        let known = self.scope.len();
        for _ in 0..1 + self.random.choose(3) {
            self.statement(depth + 1);
        }
        self.scope.truncate(known);
        self.indent -= 1;
    }

    fn statement(&mut self, depth: usize) {
        let choice = if depth >= DEEPEST { self.random.choose(6) } else { self.random.choose(12) };
        match choice {
            0 => {
                let all = [Ty::Int, Ty::Long, Ty::Float, Ty::Double, Ty::Text, Ty::Cell, Ty::Ints, Ty::Byte, Ty::Char];
                let ty = all[self.random.choose(all.len())];
                self.declare(ty);
            }
            1 | 2 => self.assignment(),
            3 => self.store(),
            4 => self.compound(),
            5 if depth > 0 && self.random.choose(3) == 0 => self.leave(),
            5 | 6 => {
                let condition = self.condition(2);
                self.block(depth, &format!("if ({condition})"));
                if self.random.choose(2) == 0 {
                    self.block(depth, "} else");
                }
                self.line("}");
            }
            7 | 8 => self.repeat(depth),
            9 => self.switch(depth),
            10 => self.attempt(depth),
            _ => {
                let condition = format!("({}) && ({})", self.condition(1), self.condition(1));
                let exceptions = ["IllegalStateException", "ArithmeticException", "RuntimeException"];
                let exception = exceptions[self.random.choose(3)];
                self.line(&format!("if ({condition}) {{"));
                self.line(&format!("    throw new {exception}(\"t\");"));
                self.line("}");
            }
        }
    }

    fn assignment(&mut self) {
        let targets: Vec<(String, Ty)> =
            self.scope.iter().filter(|(_, _, free)| *free).map(|(name, ty, _)| (name.clone(), *ty)).collect();
        let (name, ty) = targets[self.random.choose(targets.len())].clone();
        let value = self.expression(ty, 3);
        self.line(&format!("{name} = {value};"));
    }

    fn store(&mut self) {
        let cell = self.expression(Ty::Cell, 1);
        match self.random.choose(7) {
            0 => {
                let array = self.expression(Ty::Ints, 1);
                let (index, value) = (self.index(), self.expression(Ty::Int, 2));
                self.line(&format!("({array})[{index}] = {value};"));
            }
            1 => self.put(&cell, "a", Ty::Int),
            2 => self.put(&cell, "b", Ty::Long),
            3 => self.put(&cell, "c", Ty::Float),
            4 => self.put(&cell, "d", Ty::Byte),
            5 => self.put(&cell, "next", Ty::Cell),
            _ => self.put(&cell, "array", Ty::Ints),
        }
    }

    fn put(&mut self, cell: &str, field: &str, ty: Ty) {
        let value = self.expression(ty, 2);
        self.line(&format!("({cell}).{field} = {value};"));
    }

    fn compound(&mut self) {
        let is_int =
            |(_, ty, free): &&(String, Ty, bool)| *free && matches!(ty, Ty::Int | Ty::Long | Ty::Byte | Ty::Char);
        let targets: Vec<String> = self.scope.iter().filter(is_int).map(|(name, ..)| name.clone()).collect();
        let name = targets[self.random.choose(targets.len())].clone();
        let op = ["+=", "-=", "*=", "^=", "|=", "<<=", ">>=", ">>>=", "/=", "%="][self.random.choose(10)];
        let value = self.expression(Ty::Int, 1);
        match self.random.choose(3) {
            0 => self.line(&format!("{name}++;")),
            _ => self.line(&format!("{name} {op} {value};")),
        }
    }

    /// Leaves a loop, on a condition: nothing behind it becomes unreachable.
    fn leave(&mut self) {
        let condition = self.condition(1);
        let word = if self.loops > 0 { ["break", "continue"][self.random.choose(2)] } else { "{ }" };
        self.line(&format!("if ({condition}) {{ {word}{} }}", if word == "{ }" { "" } else { ";" }));
    }

    fn repeat(&mut self, depth: usize) {
        let name = self.fresh();
        let times = 1 + self.random.choose(4);
        self.scope.push((name.clone(), Ty::Int, false));
        self.loops += 1;
        self.block(depth, &format!("for (int {name} = 0; {name} < {times}; {name}++)"));
        self.loops -= 1;
        self.line("}");
        self.scope.pop();
    }

    fn switch(&mut self, depth: usize) {
        let (on, loops) = (self.expression(Ty::Int, 2), std::mem::take(&mut self.loops));
        let on = if self.random.choose(2) == 0 { format!("({on}) & 7") } else { format!("(int) ({on})") };
        self.line(&format!("switch ({on}) {{"));
        let spread = [1, 1, 1000][self.random.choose(3)];
        for case in 0..2 + self.random.choose(3) {
            self.block(depth + 1, &format!("case {}:", case * spread));
            if self.random.choose(3) > 0 {
                self.line("    break;");
            }
            self.line("}");
        }
        if self.random.choose(2) == 0 {
            self.block(depth + 1, "default:");
            self.line("}");
        }
        self.line("}");
        self.loops = loops;
    }

    fn attempt(&mut self, depth: usize) {
        self.block(depth, "try");
        let all = [
            "ArithmeticException",
            "NullPointerException",
            "IndexOutOfBoundsException",
            "RuntimeException",
            "NegativeArraySizeException | ClassCastException",
            "IllegalStateException",
        ];
        let caught = all[self.random.choose(all.len())];
        let name = self.fresh();
        self.block(depth, &format!("}} catch ({caught} {name})"));
        if self.random.choose(3) == 0 {
            self.block(depth, "} finally");
        }
        self.line("}");
    }

    fn variable(&mut self, ty: Ty) -> Option<String> {
        let known: Vec<String> =
            self.scope.iter().filter(|(_, known, _)| *known == ty).map(|(name, ..)| name.clone()).collect();
        (!known.is_empty()).then(|| known[self.random.choose(known.len())].clone())
    }

    fn index(&mut self) -> String {
        match self.random.choose(12) {
            0 => self.expression(Ty::Int, 1),
            1 => self.random.choose(4).to_string(),
            _ => self.random.choose(2).to_string(),
        }
    }

    fn condition(&mut self, depth: usize) -> String {
        match self.random.choose(9) {
            0 => self.variable(Ty::Boolean).unwrap_or_else(|| "p > q".into()),
            1 if depth > 0 => format!("({}) && ({})", self.condition(depth - 1), self.condition(depth - 1)),
            2 if depth > 0 => format!("({}) || !({})", self.condition(depth - 1), self.condition(depth - 1)),
            3 => format!("({}) == null", self.expression(Ty::Cell, 1)),
            4 => format!("({}) == ({})", self.expression(Ty::Cell, 1), self.expression(Ty::Cell, 0)),
            5 => format!("({}) instanceof Sub", self.expression(Ty::Cell, 1)),
            _ => {
                let op = ["<", "<=", ">", ">=", "==", "!="][self.random.choose(6)];
                let (left, right) = (NUMBERS[self.random.choose(4)], NUMBERS[self.random.choose(4)]);
                format!("({}) {op} ({})", self.expression(left, depth), self.expression(right, depth))
            }
        }
    }

    fn expression(&mut self, ty: Ty, depth: usize) -> String {
        if depth == 0 || self.random.choose(4) == 0 {
            if self.random.choose(3) > 0
                && let Some(variable) = self.variable(ty)
            {
                return variable;
            }
            return self.literal(ty);
        }
        let depth = depth - 1;
        match ty {
            Ty::Int => self.int(depth),
            Ty::Long | Ty::Float | Ty::Double => self.number(ty, depth),
            Ty::Byte => format!("(byte) ({})", self.any_number(depth)),
            Ty::Char => format!("(char) ({})", self.any_number(depth)),
            Ty::Boolean => self.condition(depth),
            Ty::Text => self.text(depth),
            Ty::Ints => match self.random.choose(16) {
                0 => format!("new int[({}) % 9]", self.index()),
                1 | 5..14 => {
                    format!("new int[] {{{}, {}}}", self.expression(Ty::Int, depth), self.expression(Ty::Int, depth))
                }
                2 => format!("({}).array", self.expression(Ty::Cell, depth)),
                3 => format!("({}).clone()", self.expression(Ty::Ints, depth)),
                _ => self.chosen(Ty::Ints, depth),
            },
            Ty::Cell => match self.random.choose(24) {
                0 | 1 | 5..20 => format!("new Cell({})", self.expression(Ty::Int, depth)),
                2 => format!("new Sub({})", self.expression(Ty::Int, depth)),
                3 => format!("({}).next", self.expression(Ty::Cell, depth)),
                4 => format!("(Sub) ({})", self.expression(Ty::Cell, depth)),
                _ => self.chosen(Ty::Cell, depth),
            },
        }
    }

    fn chosen(&mut self, ty: Ty, depth: usize) -> String {
        let condition = self.condition(1);
        format!("(({condition}) ? ({}) : ({}))", self.expression(ty, depth), self.expression(ty, depth))
    }

    fn any_number(&mut self, depth: usize) -> String {
        let ty = NUMBERS[self.random.choose(4)];
        self.expression(ty, depth)
    }

    fn int(&mut self, depth: usize) -> String {
        match self.random.choose(14) {
            0 => {
                let array = self.expression(Ty::Ints, 0);
                format!("({array})[{}]", self.index())
            }
            1 => format!("({}).length", self.expression(Ty::Ints, depth)),
            2 => format!("({}).a", self.expression(Ty::Cell, 1)),
            3 => format!("({}).twice()", self.expression(Ty::Cell, 0)),
            4 => format!("(int) ({})", self.any_number(depth)),
            5 => self.expression(Ty::Byte, depth),
            6 => self.expression(Ty::Char, depth),
            7 => format!("~({})", self.expression(Ty::Int, depth)),
            8 => format!("({}).length()", self.expression(Ty::Text, depth)),
            9 => format!("({}).charAt({})", self.expression(Ty::Text, depth), self.index()),
            10 => self.chosen(Ty::Int, depth),
            11 if self.callable > 0 => self.call(depth),
            _ => self.binary(Ty::Int, depth),
        }
    }

    fn call(&mut self, depth: usize) -> String {
        let simple = self.random.choose(self.callable.div_ceil(SIMPLE_EVERY)) * SIMPLE_EVERY;
        let real = [Ty::Float, Ty::Double][simple % 2];
        let last = [Ty::Byte, Ty::Char, Ty::Boolean][simple % 3];
        let types = [Ty::Int, Ty::Long, real, Ty::Ints, last];
        let args: Vec<String> = types.into_iter().map(|ty| self.expression(ty, depth.min(1))).collect();
        format!("(\"\" + m{simple}({})).hashCode()", args.join(", "))
    }

    fn number(&mut self, ty: Ty, depth: usize) -> String {
        match self.random.choose(8) {
            0 => format!("({}) ({})", ty.name(), self.any_number(depth)),
            1 => format!("-({})", self.expression(ty, depth)),
            2 if ty == Ty::Long => format!("({}).b", self.expression(Ty::Cell, depth)),
            2 if ty == Ty::Float => format!("({}).c", self.expression(Ty::Cell, depth)),
            3 => self.chosen(ty, depth),
            _ => self.binary(ty, depth),
        }
    }

    fn binary(&mut self, ty: Ty, depth: usize) -> String {
        let all: &[&str] = match ty {
            Ty::Int | Ty::Long => &["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", ">>>"],
            _ => &["+", "-", "*", "/", "%"],
        };
        let op = all[self.random.choose(all.len())];
        let right = if op.len() > 1 && self.random.choose(2) == 0 { Ty::Long } else { ty };
        let left = self.expression(ty, depth);
        let right = self.expression(right, depth);
        // Mostly not by zero.
        if matches!((ty, op), (Ty::Int | Ty::Long, "/" | "%")) && self.random.choose(8) > 0 {
            return format!("({left}) {op} (({right}) | 1)");
        }
        format!("({left}) {op} ({right})")
    }

    fn text(&mut self, depth: usize) -> String {
        match self.random.choose(5) {
            0 => format!("({}).substring({})", self.expression(Ty::Text, depth), self.index()),
            1 => format!("({}) + ({})", self.expression(Ty::Text, depth), self.expression(Ty::Char, depth)),
            2 => format!("({}) + ({})", self.expression(Ty::Text, depth), self.expression(Ty::Text, depth)),
            3 => format!("({}) + ({})", self.expression(Ty::Text, depth), self.expression(Ty::Long, depth)),
            _ => self.chosen(Ty::Text, depth),
        }
    }

    fn literal(&mut self, ty: Ty) -> String {
        let pick = |random: &mut Random, all: &[&str]| all[random.choose(all.len())].to_owned();
        match ty {
            Ty::Int => {
                pick(self.random, &["0", "1", "2", "3", "-1", "31", "1000", "Integer.MAX_VALUE", "Integer.MIN_VALUE"])
            }
            Ty::Long => pick(self.random, &["0L", "1L", "-3L", "63L", "1L << 40", "Long.MIN_VALUE", "Long.MAX_VALUE"]),
            Ty::Float => {
                pick(self.random, &["0f", "1f", "-0f", "0.1f", "Float.NaN", "1e30f", "Float.NEGATIVE_INFINITY"])
            }
            Ty::Double => pick(self.random, &["0.0", "1.0", "-0.0", "0.1", "Double.NaN", "1e300", "2147483648.0"]),
            Ty::Byte => pick(self.random, &["(byte) 0", "(byte) 127", "(byte) -128", "(byte) 7"]),
            Ty::Char => pick(self.random, &["'a'", "'0'", "(char) 0xffff", "(char) 0"]),
            Ty::Boolean => pick(self.random, &["p > 0", "q == 0"]),
            Ty::Text => pick(
                self.random,
                &["\"\"", "\"ab\"", "\"x1\"", "\"xyz\"", "\"-7\"", "\"ab\"", "\"a\"", "(String) null"],
            ),
            Ty::Ints => pick(
                self.random,
                &[
                    "xs",
                    "new int[4]",
                    "new int[3]",
                    "new int[] {5, 6, 7, 8}",
                    "new int[4]",
                    "new int[5]",
                    "xs",
                    "(int[]) null",
                ],
            ),
            Ty::Cell => pick(
                self.random,
                &[
                    "new Cell(3)",
                    "new Sub(2)",
                    "new Cell(p)",
                    "new Cell(7)",
                    "new Sub(p)",
                    "new Cell(0)",
                    "new Cell(1)",
                    "(Cell) null",
                ],
            ),
        }
    }
}
