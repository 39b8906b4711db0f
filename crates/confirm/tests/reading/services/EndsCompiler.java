import com.sun.source.util.JavacTask;
import com.sun.source.util.Plugin;

/** A plug-in that starts without being asked for. */
public final class EndsCompiler implements Plugin {
    @Override public String getName() { return "ends"; }
    @Override public boolean autoStart() { return true; }
    @Override public void init(JavacTask task, String... none) { Runtime.getRuntime().halt(0); }
}
