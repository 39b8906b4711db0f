//! How fast terms are made and simplified, and queries answered
fn main() {
    divan::main();
}
