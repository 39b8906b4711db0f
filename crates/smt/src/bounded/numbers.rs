//! Decimal numbers in bounded strings. Digits are those of ASCII, and no more of them than a number needs: all others are
//! left out.

use super::Lowering;
use super::text::Text;
use crate::node::Term;
use crate::terms::Terms;

/// How many digits the numbers of a width may have, and bits into which those fit, whatever they are.
fn room(width: u8) -> (u64, u8) {
    if width == 32 { (10, 36) } else { (19, 64) }
}

impl Text {
    /// Whether it is a number of the width, and which; 0 where it is none.
    pub(super) fn number(&self, terms: &Terms, width: u8) -> (Term, Term) {
        let (most_digits, room) = room(width);
        let first = self.units.first().copied().unwrap_or_else(|| terms.bits(16, 0));
        let is_minus = terms.eq(first, unit(terms, b'-'));
        let has_sign = terms.or([is_minus, terms.eq(first, unit(terms, b'+'))]);
        let signs = terms.ite(has_sign, terms.i32(1), terms.i32(0));
        let digits = terms.sub(self.length, signs);
        let mut all = vec![
            terms.ule(signs, self.length),
            terms.ult(terms.i32(0), digits),
            terms.ule(digits, terms.bits(32, most_digits)),
        ];
        let mut size = terms.bits(room, 0);
        for (at, digit) in self.units.iter().enumerate() {
            let mut is_digit = terms.ult(terms.bits(32, at as u64), self.length);
            if at == 0 {
                is_digit = terms.and([is_digit, terms.not(has_sign)]);
            }
            let value = terms.sub(*digit, unit(terms, b'0'));
            all.push(terms.or([terms.not(is_digit), terms.ule(value, terms.bits(16, 9))]));
            let next = terms.add(terms.mul(size, terms.bits(room, 10)), terms.extend(false, room, value));
            size = terms.ite(is_digit, next, size);
        }
        let limit = 1u64 << (width - 1);
        let most = terms.ite(is_minus, terms.bits(room, limit), terms.bits(room, limit - 1));
        all.push(terms.ule(size, most));
        let is_number = terms.and(all);
        let value = terms.extract(width - 1, 0, terms.ite(is_minus, terms.neg(size), size));
        (is_number, terms.ite(is_number, value, terms.bits(width, 0)))
    }
}

impl Lowering<'_> {
    /// The decimal form of a number: some text that is a number, is this number, and is written the usual way.
    pub(super) fn decimal(&mut self, term: Term, number: Term) -> Text {
        let terms = self.terms;
        let width = terms.width(number);
        // With a sign and all digits; what has more digits than can be told is left out.
        let longest = if width == 32 { 11 } else { 20 };
        let text = self.free_text(&format!("decimal{}", term.0), longest);
        let (is_number, value) = text.number(terms, width);
        let is_minus = terms.eq(text.units[0], unit(terms, b'-'));
        let leading = terms.ite(is_minus, text.units[1], text.units[0]);
        let is_zero = terms.and([terms.eq(text.length, terms.i32(1)), terms.not(is_minus)]);
        self.side.extend([
            is_number,
            terms.eq(value, number),
            terms.not(terms.eq(text.units[0], unit(terms, b'+'))),
            terms.or([is_zero, terms.not(terms.eq(leading, unit(terms, b'0')))]),
        ]);
        text
    }
}

fn unit(terms: &Terms, ascii: u8) -> Term {
    terms.bits(16, u64::from(ascii))
}
