import com.sun.jdi.Bootstrap;
import com.sun.jdi.Field;
import com.sun.jdi.Location;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.LaunchingConnector;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.event.ModificationWatchpointEvent;
import com.sun.jdi.event.VMDeathEvent;
import com.sun.jdi.event.VMDisconnectEvent;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.EventRequestManager;
import com.sun.jdi.request.MethodEntryRequest;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Runs a main class under the debugger interface and writes what happens in the classes of some packages, each different thing
 * once: which method a call entered, on a receiver of which class, and which field was written, by which methods on the stack.
 *
 * <p>Arguments: class path, main class, then prefixes of class names to watch.
 */
public final class Watch {
    private static final Set<String> written = new LinkedHashSet<>();
    private static final Set<String> known = new HashSet<>();

    private Watch() {}

    public static void main(String[] args) throws Exception {
        LaunchingConnector connector = Bootstrap.virtualMachineManager().defaultConnector();
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        arguments.get("main").setValue(args[1]);
        arguments.get("options").setValue("-Xshare:auto -XX:+UseSerialGC -cp \"" + args[0] + "\"");
        VirtualMachine vm = connector.launch(arguments);
        List<String> prefixes = List.of(args).subList(2, args.length);
        MethodEntryRequest start = vm.eventRequestManager().createMethodEntryRequest();
        start.addClassFilter(args[1]);
        start.setSuspendPolicy(EventRequest.SUSPEND_ALL);
        start.enable();
        try {
            watch(vm, start, prefixes);
        } finally {
            written.forEach(System.out::println);
            System.out.flush();
        }
    }

    private static void watch(VirtualMachine vm, MethodEntryRequest start, List<String> prefixes) throws Exception {
        boolean started = false;
        while (true) {
            EventSet events = vm.eventQueue().remove();
            for (Event event : events) {
                if (event instanceof VMDeathEvent || event instanceof VMDisconnectEvent) {
                    return;
                }
                if (event instanceof ClassPrepareEvent) {
                    addFields(vm, ((ClassPrepareEvent) event).referenceType());
                } else if (event instanceof ModificationWatchpointEvent) {
                    written((ModificationWatchpointEvent) event);
                } else if (event instanceof MethodEntryEvent) {
                    MethodEntryEvent entry = (MethodEntryEvent) event;
                    if (started) {
                        entered(entry);
                    } else if (entry.method().name().equals("main")) {
                        started = true;
                        start.disable();
                        prefixes.forEach(prefix -> request(vm, prefix, entry.thread()));
                    }
                }
            }
            events.resume();
        }
    }

    private static void request(VirtualMachine vm, String prefix, ThreadReference thread) {
        EventRequestManager requests = vm.eventRequestManager();
        MethodEntryRequest entries = requests.createMethodEntryRequest();
        entries.addClassFilter(prefix + "*");
        entries.addThreadFilter(thread);
        entries.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
        entries.enable();
        ClassPrepareRequest classes = requests.createClassPrepareRequest();
        classes.addClassFilter(prefix + "*");
        classes.setSuspendPolicy(EventRequest.SUSPEND_ALL);
        classes.enable();
        for (ReferenceType type : vm.allClasses()) {
            if (type.name().startsWith(prefix) && type.isPrepared()) {
                addFields(vm, type);
            }
        }
    }

    private static void addFields(VirtualMachine vm, ReferenceType type) {
        for (Field field : type.fields()) {
            var request = vm.eventRequestManager().createModificationWatchpointRequest(field);
            request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
            request.enable();
        }
    }

    private static void entered(MethodEntryEvent event) throws Exception {
        ThreadReference thread = event.thread();
        if (thread.frameCount() < 2) {
            return;
        }
        Location caller = thread.frame(1).location();
        String line = "call " + place(caller) + " " + caller.codeIndex() + " " + place(event.location());
        if (!known.add(line)) {
            return;
        }
        ObjectReference receiver = thread.frame(0).thisObject();
        StringBuilder text = new StringBuilder(line).append(' ').append(receiver == null ? "-" : name(receiver.referenceType()));
        // A lambda's own method stands between its caller and its implementation.
        if (thread.frameCount() > 2) {
            Location before = thread.frame(2).location();
            text.append(' ').append(place(before)).append(' ').append(before.codeIndex());
        }
        written.add(text.toString());
    }

    private static void written(ModificationWatchpointEvent event) throws Exception {
        Field field = event.field();
        StringBuilder text = new StringBuilder("write ").append(name(field.declaringType()));
        text.append(' ').append(field.name()).append(' ').append(field.signature());
        for (StackFrame frame : event.thread().frames()) {
            text.append(' ').append(place(frame.location())).append(' ').append(frame.location().codeIndex());
        }
        written.add(text.toString());
    }

    private static String place(Location location) {
        return name(location.declaringType()) + " " + location.method().name() + " " + location.method().signature();
    }

    /** Without spaces, in the form of class files. */
    private static String name(ReferenceType type) {
        return type.name().replace(' ', '_').replace('.', '/');
    }
}
