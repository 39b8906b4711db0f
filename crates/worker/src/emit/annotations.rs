//! Annotations in a class file (JVMS 4.7.16). All are written as visible at run time; reflection leaves out those whose
//! type says otherwise.

use super::EmitError;
use super::class_file::Attributes;
use super::pool::Pool;
use program::Type;
use recipe::{Annotation, AnnotationValue, Literal};

pub(super) fn add(attributes: &mut Attributes, pool: &mut Pool, annotations: &[Annotation]) -> Result<(), EmitError> {
    if !annotations.is_empty() {
        let content = list(pool, annotations)?;
        attributes.add(pool, "RuntimeVisibleAnnotations", &content);
    }
    Ok(())
}

pub(super) fn add_for_params(
    attributes: &mut Attributes,
    pool: &mut Pool,
    params: &[Vec<Annotation>],
) -> Result<(), EmitError> {
    if params.iter().any(|annotations| !annotations.is_empty()) {
        let mut content = vec![params.len() as u8];
        for annotations in params {
            content.extend(list(pool, annotations)?);
        }
        attributes.add(pool, "RuntimeVisibleParameterAnnotations", &content);
    }
    Ok(())
}

fn list(pool: &mut Pool, annotations: &[Annotation]) -> Result<Vec<u8>, EmitError> {
    let mut out = (annotations.len() as u16).to_be_bytes().to_vec();
    annotations.iter().try_for_each(|annotation| write(pool, annotation, &mut out))?;
    Ok(out)
}

fn write(pool: &mut Pool, annotation: &Annotation, out: &mut Vec<u8>) -> Result<(), EmitError> {
    out.extend(pool.utf8(&Type::Class(annotation.class).descriptor()).to_be_bytes());
    out.extend((annotation.values.len() as u16).to_be_bytes());
    for (name, value) in &annotation.values {
        out.extend(pool.utf8(name.as_str()).to_be_bytes());
        write_value(pool, value, out)?;
    }
    Ok(())
}

fn write_value(pool: &mut Pool, value: &AnnotationValue, out: &mut Vec<u8>) -> Result<(), EmitError> {
    match value {
        AnnotationValue::Literal(literal) => write_literal(pool, literal, out),
        AnnotationValue::Nested(annotation) => {
            out.push(b'@');
            write(pool, annotation, out)
        }
        AnnotationValue::Array(values) => {
            out.push(b'[');
            out.extend((values.len() as u16).to_be_bytes());
            values.iter().try_for_each(|value| write_value(pool, value, out))
        }
    }
}

fn write_literal(pool: &mut Pool, literal: &Literal, out: &mut Vec<u8>) -> Result<(), EmitError> {
    let (tag, indices) = match literal {
        Literal::Boolean(value) => (b'Z', vec![pool.int(i32::from(*value))]),
        Literal::Byte(value) => (b'B', vec![pool.int(i32::from(*value))]),
        Literal::Char(value) => (b'C', vec![pool.int(i32::from(*value))]),
        Literal::Short(value) => (b'S', vec![pool.int(i32::from(*value))]),
        Literal::Int(value) => (b'I', vec![pool.int(*value)]),
        Literal::Long(value) => (b'J', vec![pool.long(*value)]),
        Literal::Float(value) => (b'F', vec![pool.float(*value)]),
        Literal::Double(value) => (b'D', vec![pool.double(*value)]),
        Literal::String(text) => (b's', vec![pool.units(&text.expanded().0)]),
        Literal::Class(ty) => (b'c', vec![pool.utf8(&ty.descriptor())]),
        Literal::Enum(field) => (b'e', vec![pool.utf8(field.descriptor.as_str()), pool.utf8(field.name.as_str())]),
        Literal::Null(_) => return Err(EmitError::AnnotationValue(literal.to_string())),
    };
    out.push(tag);
    indices.into_iter().for_each(|index| out.extend(index.to_be_bytes()));
    Ok(())
}
