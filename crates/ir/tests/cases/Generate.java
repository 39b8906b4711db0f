import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.instruction.DiscontinuedInstruction.JsrInstruction;
import java.lang.classfile.instruction.DiscontinuedInstruction.RetInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * Writes Odd.class: what no Java compiler makes today, but what verifies in a class file of version 49. Run with a JDK that has
 * java.lang.classfile (24 or later): {@code java Generate.java <directory>}.
 */
public class Generate {
    static final ClassDesc THROWABLE = ClassDesc.of("java.lang.Throwable");

    public static void main(String[] args) throws Exception {
        ClassFile classFile = ClassFile.of(
            ClassFile.StackMapsOption.DROP_STACK_MAPS,
            ClassFile.DeadCodeOption.KEEP_DEAD_CODE,
            ClassFile.ShortJumpsOption.FIX_SHORT_JUMPS);
        classFile.buildTo(Path.of(args[0], "Odd.class"), ClassDesc.of("Odd"), odd -> {
            odd.withVersion(49, 0).withFlags(ClassFile.ACC_PUBLIC | ClassFile.ACC_SUPER);
            method(odd, "subroutineTwice", "(I)I", Generate::subroutineTwice);
            method(odd, "subroutineAsFinally", "(II)I", Generate::subroutineAsFinally);
            method(odd, "subroutineNested", "(I)I", Generate::subroutineNested);
            method(odd, "subroutineOverStack", "(I)I", Generate::subroutineOverStack);
            method(odd, "subroutineKeepsLocals", "(II)I", Generate::subroutineKeepsLocals);
            method(odd, "sumOnStack", "(I)I", Generate::sumOnStack);
            method(odd, "sumOnStackBackwards", "(I)I", Generate::sumOnStackBackwards);
            method(odd, "carriedThroughLoop", "(II)I", Generate::carriedThroughLoop);
            method(odd, "swapInLoop", "(III)I", Generate::swapInLoop);
            method(odd, "rotateInLoop", "(III)I", Generate::rotateInLoop);
            method(odd, "usedBehindBranch", "(II)I", Generate::usedBehindBranch);
            method(odd, "wideForms", "(JI)J", Generate::wideForms);
            method(odd, "overwritten", "(I)I", Generate::overwritten);
            method(odd, "overwrittenByWide", "(II)I", Generate::overwrittenByWide);
            method(odd, "handlerByJump", "(I)I", Generate::handlerByJump);
            method(odd, "handlerCoversItself", "(I)I", Generate::handlerCoversItself);
            method(odd, "loopAtEntry", "(I)I", Generate::loopAtEntry);
            method(odd, "deadCode", "(I)I", Generate::deadCode);
            method(odd, "wideSlots", "(I)I", Generate::wideSlots);
            method(odd, "switchOverStack", "(I)I", Generate::switchOverStack);
            method(odd, "swapped", "(II)I", Generate::swapped);
        });
    }

    private static void method(java.lang.classfile.ClassBuilder odd, String name, String type, Consumer<CodeBuilder> body) {
        int flags = ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC;
        odd.withMethodBody(name, MethodTypeDesc.ofDescriptor(type), flags, code -> {
            code.lineNumber(1);
            body.accept(code);
        });
    }

    /** The subroutine at `start`: local 1 becomes (local 1 + 5) * 2. */
    private static void subroutine(CodeBuilder code, Label start) {
        code.labelBinding(start).astore(2).iinc(1, 5).iload(1).iconst_2().imul().istore(1).with(RetInstruction.of(2));
    }

    private static void subroutineTwice(CodeBuilder code) {
        Label start = code.newLabel(), end = code.newLabel();
        code.iload(0).istore(1);
        code.with(JsrInstruction.of(start));
        code.iload(1).bipush(20).if_icmpge(end);
        code.with(JsrInstruction.of(start));
        code.iinc(1, 1);
        code.labelBinding(end).iload(1).ireturn();
        subroutine(code, start);
    }

    private static void subroutineAsFinally(CodeBuilder code) {
        Label from = code.newLabel(), to = code.newLabel(), handler = code.newLabel(), start = code.newLabel();
        code.iconst_0().istore(1);
        code.labelBinding(from).iload(0).bipush(10).swap().idiv().istore(3).labelBinding(to);
        code.with(JsrInstruction.of(start));
        code.iload(3).iload(1).iadd().ireturn();
        code.labelBinding(handler).astore(4);
        code.with(JsrInstruction.of(start));
        code.aload(4).instanceOf(ClassDesc.of("java.lang.ArithmeticException")).iload(1).iadd().ireturn();
        subroutine(code, start);
        code.exceptionCatchAll(from, to, handler);
    }

    private static void subroutineNested(CodeBuilder code) {
        Label outer = code.newLabel(), inner = code.newLabel(), skip = code.newLabel();
        code.iload(0).istore(1);
        code.with(JsrInstruction.of(outer)).with(JsrInstruction.of(outer));
        code.iload(1).ireturn();
        code.labelBinding(outer).astore(3).iload(1).bipush(100).if_icmpgt(skip);
        code.with(JsrInstruction.of(inner));
        code.labelBinding(skip).iinc(1, 3).with(RetInstruction.of(3));
        subroutine(code, inner);
    }

    private static void subroutineOverStack(CodeBuilder code) {
        Label start = code.newLabel();
        code.iload(0).istore(1).iload(0).bipush(7).imul();
        code.with(JsrInstruction.of(start));
        code.iload(1).iadd().ireturn();
        subroutine(code, start);
    }

    /** Local 3 is an int at one call and a long at the other; the subroutine does not touch it. */
    private static void subroutineKeepsLocals(CodeBuilder code) {
        Label start = code.newLabel(), other = code.newLabel();
        code.iload(0).ifeq(other);
        code.iload(1).istore(3);
        code.with(JsrInstruction.of(start));
        code.iload(1).iload(3).isub().ireturn();
        code.labelBinding(other).iload(1).i2l().lstore(3);
        code.with(JsrInstruction.of(start));
        code.lload(3).l2i().iload(1).iadd().ireturn();
        subroutine(code, start);
    }

    private static void sumOnStack(CodeBuilder code) {
        Label head = code.newLabel(), end = code.newLabel();
        code.iload(0).bipush(63).iand().istore(0).iconst_0();
        code.labelBinding(head).iload(0).ifle(end).iload(0).iadd().iinc(0, -1).goto_(head);
        code.labelBinding(end).ireturn();
    }

    private static void sumOnStackBackwards(CodeBuilder code) {
        Label head = code.newLabel();
        code.iload(0).bipush(63).iand().istore(0).iconst_1();
        code.labelBinding(head).iload(0).iadd().iinc(0, -1).iload(0).ifgt(head);
        code.ireturn();
    }

    /** A product and a local that the loop changes lie below the stack of the loop. */
    private static void carriedThroughLoop(CodeBuilder code) {
        Label head = code.newLabel(), end = code.newLabel();
        code.iload(0).bipush(7).imul().iload(1).iconst_0();
        code.labelBinding(head).iload(1).ifle(end).iload(0).iadd().iload(1).iconst_2().idiv().istore(1).goto_(head);
        code.labelBinding(end).imul().isub().ireturn();
    }

    private static void swapInLoop(CodeBuilder code) {
        Label head = code.newLabel();
        code.iload(2).bipush(7).iand().istore(2).iload(0).iload(1);
        code.labelBinding(head).swap().iinc(2, -1).iload(2).ifgt(head);
        code.bipush(31).imul().isub().ireturn();
    }

    private static void rotateInLoop(CodeBuilder code) {
        Label head = code.newLabel();
        code.iload(2).bipush(7).iand().istore(3).iload(0).iload(1).iload(2);
        code.labelBinding(head).dup_x2().pop().iinc(3, -1).iload(3).ifgt(head);
        code.bipush(31).imul().isub().bipush(17).imul().iadd().ireturn();
    }

    /** Behind the branch that closes the loop, what the loop started with is still on the stack. */
    private static void usedBehindBranch(CodeBuilder code) {
        Label head = code.newLabel();
        code.iload(1).bipush(7).iand().istore(1).iload(0).iload(1);
        code.labelBinding(head).iload(0).iadd().swap().iinc(1, -1).iload(1).ifgt(head);
        code.bipush(13).imul().isub().ireturn();
    }

    private static void wideForms(CodeBuilder code) {
        // dup2_x1 and dup2_x2 on a wide value over a narrow and a wide one, dup_x2 of a narrow over a wide one.
        code.iload(2).lload(0).dup2_x1().l2i().iadd().i2l().ladd();
        code.lload(0).dup2_x2().lmul().lsub();
        code.iload(2).dup_x2().i2l().ladd().lstore(3);
        code.i2l().lload(3).lxor();
        code.iload(2).iload(2).dup2().iadd().imul().isub().i2l().ladd();
        code.iload(2).iload(2).iload(2).dup2_x1().pop2().pop().iload(2).dup2().pop2().ineg().iadd().iadd().i2l().ladd();
        code.lreturn();
    }

    private static void overwritten(CodeBuilder code) {
        code.iload(0).iload(0).iinc(0, 5).iload(0).dup().istore(0).iconst_3().istore(0);
        code.isub().imul().iload(0).iadd().ireturn();
    }

    private static void overwrittenByWide(CodeBuilder code) {
        code.iload(0).istore(2).iload(1).istore(3);
        code.iload(2).iload(3).iload(0).i2l().lstore(2);
        code.isub().lload(2).l2i().bipush(10).imul().iadd().ireturn();
    }

    private static void handlerByJump(CodeBuilder code) {
        Label from = code.newLabel(), to = code.newLabel(), handler = code.newLabel(), none = code.newLabel();
        code.aconst_null().iload(0).iconst_5().if_icmpgt(handler).pop();
        code.labelBinding(from).bipush(100).iload(0).idiv().labelBinding(to).ireturn();
        code.labelBinding(handler).ifnull(none).bipush(-1).ireturn();
        code.labelBinding(none).bipush(-2).ireturn();
        code.exceptionCatch(from, to, handler, THROWABLE);
    }

    private static void handlerCoversItself(CodeBuilder code) {
        Label from = code.newLabel(), to = code.newLabel(), handler = code.newLabel();
        code.labelBinding(from).bipush(100).iload(0).idiv().ireturn();
        code.labelBinding(handler).pop().iinc(0, 1).bipush(50).iload(0).iconst_1().isub().idiv().ireturn();
        code.labelBinding(to).exceptionCatch(from, to, handler, THROWABLE);
        code.nop().goto_(from);
    }

    /** The first instruction is the target of a jump. */
    private static void loopAtEntry(CodeBuilder code) {
        Label head = code.newLabel(), end = code.newLabel();
        code.labelBinding(head).iload(0).iconst_1().if_icmple(end);
        code.iload(0).iconst_2().idiv().istore(0).goto_(head);
        code.labelBinding(end).iload(0).ireturn();
    }

    private static void deadCode(CodeBuilder code) {
        Label end = code.newLabel(), dead = code.newLabel();
        code.iload(0).goto_(end);
        code.labelBinding(dead).pop().pop().iload(0).goto_(dead);
        code.labelBinding(end).iconst_2().imul().ireturn();
    }

    private static void wideSlots(CodeBuilder code) {
        code.iload(0).istore(300).iinc(300, 1000).iload(300).i2l().lstore(400).iinc(0, -3000);
        code.lload(400).l2i().iload(0).iadd().ireturn();
    }

    private static void switchOverStack(CodeBuilder code) {
        Label head = code.newLabel(), one = code.newLabel(), end = code.newLabel();
        code.iconst_1().iload(0).bipush(7).iand().istore(0);
        code.labelBinding(head).iconst_3().imul().iinc(0, -1).iload(0);
        code.lookupswitch(end, java.util.List.of(
            java.lang.classfile.instruction.SwitchCase.of(1, one),
            java.lang.classfile.instruction.SwitchCase.of(2, head),
            java.lang.classfile.instruction.SwitchCase.of(3, head),
            java.lang.classfile.instruction.SwitchCase.of(5, one)));
        code.labelBinding(one).iload(0).iadd().goto_(head);
        code.labelBinding(end).ireturn();
    }

    private static void swapped(CodeBuilder code) {
        Label other = code.newLabel(), join = code.newLabel();
        code.iload(0).iload(1).iload(0).ifgt(other).swap();
        code.labelBinding(other).isub().iload(1).iload(0).ifle(join).iconst_2();
        code.imul().labelBinding(join).iadd().ireturn();
    }
}
