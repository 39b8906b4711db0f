import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;

/** Calls every static method of a class whose name starts with `case` and prints what it throws, with the bytecode index of each frame. */
public class Run {
    public static void main(String[] args) throws Exception {
        Method[] methods = Class.forName(args[0]).getDeclaredMethods();
        Arrays.sort(methods, Comparator.comparing(Method::getName));
        for (Method method : methods) {
            if (!method.getName().startsWith("case")) continue;
            method.setAccessible(true);
            System.out.println("=== " + method.getName());
            try {
                method.invoke(null);
                System.out.println("nothing was thrown");
            } catch (InvocationTargetException e) {
                Throwable thrown = e.getCause();
                String indices = Bytecodes.of(thrown);
                thrown.printStackTrace(System.out);
                System.out.println("---" + indices);
            }
        }
    }
}
