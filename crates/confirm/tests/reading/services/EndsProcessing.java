import java.util.Set;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.RoundEnvironment;
import javax.lang.model.element.TypeElement;

/** An annotation processor that does what it likes. */
public final class EndsProcessing extends AbstractProcessor {
    @Override public Set<String> getSupportedAnnotationTypes() { return Set.of("*"); }
    @Override public boolean process(Set<? extends TypeElement> types, RoundEnvironment round) { Runtime.getRuntime().halt(0); return true; }
}
