//! The reader of declared classes and their annotations.

use crate::text::cursor::{MAX_DEPTH, Parsed, Parser};
use crate::text::lex::Token;
use crate::{Annotation, AnnotationValue, ClassDecl, ClassKind, Def, FieldDecl, MethodDecl};
use program::{ClassName, Symbol};

impl Parser<'_> {
    pub(super) fn is_class(&self) -> bool {
        self.is_mark("@") || self.is_word("declare")
    }

    pub(super) fn class(&mut self) -> Parsed<ClassDecl> {
        let annotations = self.annotations()?;
        if !self.try_word("declare") {
            return self.expected("`declare`");
        }
        let kind = if self.try_word("interface") {
            ClassKind::Interface
        } else if self.try_word("class") {
            ClassKind::Class
        } else {
            return self.expected("`class` or `interface`");
        };
        let name = ClassDecl::class_name(self.name()?.as_str());
        let signature = self.signature()?;
        let super_class = if self.try_word("extends") { self.class_name()? } else { ClassName::object() };
        let mut interfaces = Vec::new();
        if self.try_word("implements") {
            interfaces.push(self.class_name()?);
            while self.try_mark(",") {
                interfaces.push(self.class_name()?);
            }
        }
        let mut class = ClassDecl {
            name,
            kind,
            signature,
            super_class,
            interfaces,
            annotations,
            fields: Vec::new(),
            methods: Vec::new(),
        };
        self.mark("{")?;
        while !self.try_mark("}") {
            let annotations = self.annotations()?;
            if self.try_word("field") {
                class.fields.push(self.declared_field(annotations)?);
            } else if self.try_word("method") {
                class.methods.push(self.declared_method(annotations)?);
            } else {
                return self.expected("`field` or `method`");
            }
        }
        Ok(class)
    }

    fn signature(&mut self) -> Parsed<Option<Symbol>> {
        if self.try_word("signature") { self.symbol().map(Some) } else { Ok(None) }
    }

    /// `static` is a modifier unless it is the name itself.
    fn is_static(&mut self) -> bool {
        let found = self.is_word("static") && matches!(self.peek_after(), Token::Word(_) | Token::Name(_));
        if found {
            self.next();
        }
        found
    }

    fn declared_field(&mut self, annotations: Vec<Annotation>) -> Parsed<FieldDecl> {
        let is_static = self.is_static();
        let name = self.name()?;
        self.mark(":")?;
        let ty = self.ty()?;
        let signature = self.signature()?;
        let init = if self.try_mark("=") { Some(self.literal()?) } else { None };
        Ok(FieldDecl { name, ty, signature, is_static, annotations, init })
    }

    fn declared_method(&mut self, annotations: Vec<Annotation>) -> Parsed<MethodDecl> {
        let is_static = self.is_static();
        let name = self.name()?;
        self.mark("(")?;
        let mut is_varargs = false;
        let annotated = self.list(")", |p| {
            let annotations = p.annotations()?;
            let def = p.def()?;
            is_varargs = p.try_mark("...");
            Ok((annotations, def))
        })?;
        let (mut param_annotations, params): (Vec<Vec<Annotation>>, Vec<Def>) = annotated.into_iter().unzip();
        if param_annotations.iter().all(Vec::is_empty) {
            param_annotations.clear();
        }
        let descriptor = self.descriptor(&params)?;
        let signature = self.signature()?;
        let this = self.this()?;
        let (body, result) = self.block()?;
        Ok(MethodDecl {
            name,
            descriptor,
            signature,
            is_static,
            is_varargs,
            annotations,
            param_annotations,
            params,
            this,
            body,
            result,
        })
    }

    fn annotations(&mut self) -> Parsed<Vec<Annotation>> {
        let mut annotations = Vec::new();
        while self.is_mark("@") {
            annotations.push(self.annotation()?);
        }
        Ok(annotations)
    }

    fn annotation(&mut self) -> Parsed<Annotation> {
        self.mark("@")?;
        let class = self.class_name()?;
        let values = if self.try_mark("(") {
            self.list(")", |p| {
                let name = p.name()?;
                p.mark("=")?;
                Ok((name, p.annotation_value()?))
            })?
        } else {
            Vec::new()
        };
        Ok(Annotation { class, values })
    }

    fn annotation_value(&mut self) -> Parsed<AnnotationValue> {
        if self.depth == MAX_DEPTH {
            return self.expected("values that are nested less deeply");
        }
        self.depth += 1;
        let value = if self.is_mark("@") {
            AnnotationValue::Nested(self.annotation()?)
        } else if self.try_mark("[") {
            AnnotationValue::Array(self.list("]", Self::annotation_value)?)
        } else {
            AnnotationValue::Literal(self.literal()?)
        };
        self.depth -= 1;
        Ok(value)
    }
}
