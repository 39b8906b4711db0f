package reenact.host;

import javax.management.InstanceNotFoundException;
import javax.management.MBeanRegistrationException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;

/**
 * Beans that a candidate has registered for management, in servers that all candidates share. Left there, their names would be
 * taken for those that come after. Not loaded before one has done so: the JDK's part of it takes long to start.
 */
final class Beans {
    private Beans() {}

    /** Takes out all beans of the program. */
    static void forget() {
        for (MBeanServer server : MBeanServerFactory.findMBeanServer(null)) {
            for (ObjectName name : server.queryNames(null, null)) {
                try {
                    if (isOfProgram(server.getClassLoaderFor(name))) {
                        server.unregisterMBean(name);
                    }
                } catch (InstanceNotFoundException gone) {
                    // By itself, or with another.
                } catch (MBeanRegistrationException | RuntimeException refused) {
                    // It is asked first, and is code of the program.
                    Stop.poisoned = true;
                }
            }
        }
    }

    /** Beans of the JDK have its loaders. */
    private static boolean isOfProgram(ClassLoader loader) {
        return loader != null && loader != ClassLoader.getSystemClassLoader().getParent();
    }
}
