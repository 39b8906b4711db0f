import java.io.BufferedReader;
import java.io.FileReader;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;

/**
 * Answers questions about linkage by asking the JVM itself. Each line of the file named by the argument is a question; each printed line
 * is the answer, or `?` where the JVM cannot tell because a class is missing or does not link.
 *
 * <pre>
 * virtual|static|special C name descriptor   the class that declares the method which this resolves to, `-` if there is none
 * getter|static-getter C name descriptor     the same for a field
 * select R name descriptor                   the class whose method runs on an object of class R
 * subtype A B                                true or false
 * </pre>
 */
public class Link {
    static MethodHandles.Lookup lookup;
    static final ClassLoader LOADER = Link.class.getClassLoader();

    public static void main(String[] arguments) throws Exception {
        Field trusted = MethodHandles.Lookup.class.getDeclaredField("IMPL_LOOKUP");
        trusted.setAccessible(true);
        lookup = (MethodHandles.Lookup) trusted.get(null);
        StringBuilder answers = new StringBuilder();
        try (BufferedReader questions = new BufferedReader(new FileReader(arguments[0]))) {
            for (String question; (question = questions.readLine()) != null; ) {
                answers.append(answer(question.split(" "))).append('\n');
            }
        }
        System.out.print(answers);
    }

    static String answer(String[] words) {
        try {
            Class<?> owner = load(words[1]);
            if (words[0].equals("subtype")) {
                return String.valueOf(load(words[2]).isAssignableFrom(owner));
            }
            MethodHandle handle = find(words[0], owner, words[2], words[3]);
            Class<?> declaring = lookup.in(owner).revealDirect(handle).getDeclaringClass();
            boolean field = words[0].endsWith("getter");
            return field || reliable(owner, declaring, words[2], type(words[3])) ? declaring.getName() : "?";
        } catch (NoSuchMethodException | NoSuchFieldException absent) {
            return "-";
        } catch (Throwable unknown) {
            return "?";
        }
    }

    /**
     * A handle names the class it was looked up in when an abstract class inherits a method from an interface only, and `Object` when an
     * interface declares a method of `Object` again. Resolution by bytecode does neither.
     */
    static boolean reliable(Class<?> owner, Class<?> declaring, String name, MethodType type) {
        if (owner.isInterface() && declaring == Object.class) {
            return false;
        }
        for (Method method : declaring.getDeclaredMethods()) {
            boolean same = method.getName().equals(name) && method.getReturnType() == type.returnType();
            if (same && MethodType.methodType(type.returnType(), method.getParameterTypes()).equals(type)) {
                return true;
            }
        }
        return false;
    }

    static MethodHandle find(String how, Class<?> owner, String name, String descriptor) throws Exception {
        switch (how) {
            case "virtual":
                return lookup.findVirtual(owner, name, type(descriptor));
            case "static":
                return lookup.findStatic(owner, name, type(descriptor));
            case "special":
            case "select":
                return lookup.findSpecial(owner, name, type(descriptor), owner);
            case "getter":
                return lookup.findGetter(owner, name, type("()" + descriptor).returnType());
            default:
                return lookup.findStaticGetter(owner, name, type("()" + descriptor).returnType());
        }
    }

    static Class<?> load(String name) throws ClassNotFoundException {
        return Class.forName(name, false, LOADER);
    }

    static MethodType type(String descriptor) {
        return MethodType.fromMethodDescriptorString(descriptor, LOADER);
    }
}
