//! The committed classes of compiler and runner are what their sources compile to.

#[test]
fn committed_classes_are_current() {
    testing::java_classes::assert_current(env!("CARGO_MANIFEST_DIR").as_ref());
}
