package reenact.host;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;

/**
 * Finds classes and members by name and descriptor, through the program's class loader and with the rights that a test
 * on the class path has: non-public members by {@code setAccessible}, but nothing of a module that is not open.
 */
final class Linker {
    private ClassLoader loader;
    private final Definer definer;
    private final Watcher watcher;
    /** A class in the program's loader, so that caller-sensitive methods see a caller from there. */
    private Class<?> caller;
    /** Of that class, when first needed. */
    private MethodHandles.Lookup lookup;
    /** What was found through a loader that will be replaced; null if there is one loader for all candidates. */
    private ArrayList<Linked> linked;

    Linker(ClassLoader loader, Definer definer, Class<?> caller, Watcher watcher) {
        this.loader = loader;
        this.definer = definer;
        this.caller = caller;
        this.watcher = watcher;
    }

    /** From now on loaders are replaced: what is found is noted. */
    void expectRenewal() {
        linked = new ArrayList<Linked>();
    }

    boolean isRenewable() {
        return linked != null;
    }

    /** Everything is to be found anew, through this loader. */
    void renew(ClassLoader newLoader, Class<?> newCaller) {
        loader = newLoader;
        caller = newCaller;
        lookup = null;
        for (int i = 0; i < linked.size(); i++) {
            linked.get(i).unlink();
        }
        linked.clear();
    }

    void note(Linked symbol) {
        if (linked != null) {
            linked.add(symbol);
        }
    }

    /** What refers to classes of the program's loader. */
    interface Linked {
        void unlink();
    }

    /** The class that a descriptor names; it is not initialised. */
    Class<?> type(String descriptor) {
        switch (descriptor.charAt(0)) {
            case 'Z':
                return boolean.class;
            case 'B':
                return byte.class;
            case 'C':
                return char.class;
            case 'S':
                return short.class;
            case 'I':
                return int.class;
            case 'J':
                return long.class;
            case 'F':
                return float.class;
            case 'D':
                return double.class;
            case '[':
                return load(descriptor.replace('/', '.'));
            default:
                return load(descriptor.substring(1, descriptor.length() - 1).replace('/', '.'));
        }
    }

    private Class<?> load(String name) {
        try {
            return Class.forName(name, false, loader);
        } catch (ClassNotFoundException e) {
            throw new Unlinkable("class " + name + " is missing");
        } catch (LinkageError e) {
            throw new Unlinkable("class " + name + " cannot be loaded: " + e);
        }
    }

    Class<?> defineEmitted(String descriptor, byte[] classFile) {
        String name = descriptor.substring(1, descriptor.length() - 1).replace('/', '.');
        try {
            return definer.define(loader, name, classFile);
        } catch (LinkageError e) {
            throw new Unlinkable("class " + name + " cannot be defined: " + e);
        } catch (RuntimeException e) {
            throw new Unlinkable("class " + name + " cannot be defined: " + e);
        }
    }

    /** Runs the static initialiser of a member's class. {@link Frames} knows this method by name and hides the frames it adds. */
    static void initialise(Member member) throws ClassNotFoundException {
        Class<?> type = member.uninitialised;
        // Another thread of the candidate may have been faster.
        if (type != null) {
            Class.forName(type.getName(), true, type.getClassLoader());
            member.uninitialised = null;
        }
    }

    static MethodHandle spread(MethodHandle handle) {
        int arity = handle.type().parameterCount();
        return handle.asType(MethodType.genericMethodType(arity)).asSpreader(Object[].class, arity);
    }

    void linkMethod(Member member) {
        Class<?> owner = member.owner.get();
        try {
            if (member.isSure && canDefine(member, owner)) {
                member.linkInvoker();
                return;
            }
            MethodType type = MethodType.fromMethodDescriptorString(member.descriptor, loader);
            if (member.kind == Wire.MEMBER_CONSTRUCTOR) {
                linkConstructor(member, owner, type);
            } else {
                linkMethod(member, owner, type);
            }
        } catch (TypeNotPresentException e) {
            throw new Unlinkable("class " + e.typeName() + " is missing");
        } catch (NoSuchMethodException e) {
            throw new Unlinkable(shown(owner, member) + " does not exist");
        } catch (IllegalAccessException e) {
            // The message of the JDK's own exception names modules by identity hash.
            throw new Unlinkable(shown(owner, member) + " cannot be accessed");
        } catch (LinkageError e) {
            throw new Unlinkable(shown(owner, member) + " cannot be linked: " + e);
        }
    }

    private static String shown(Class<?> owner, Member member) {
        return owner.getName() + "." + member.name + member.descriptor;
    }

    private void linkConstructor(Member member, Class<?> owner, MethodType type)
            throws NoSuchMethodException, IllegalAccessException {
        if (Modifier.isAbstract(owner.getModifiers())) {
            throw new Unlinkable(owner.getName() + " is abstract");
        }
        MethodHandle handle;
        try {
            Constructor<?> found = owner.getDeclaredConstructor(type.parameterArray());
            if (canInvoke(member, owner, owner, found.getModifiers(), found.getParameterTypes())) {
                member.linkInvoker();
                return;
            }
            makeAccessible(found);
            handle = lookup().unreflectConstructor(found);
        } catch (NoClassDefFoundError e) {
            handle = rightsIn(owner).findConstructor(owner, type);
        }
        member.linked(handle.asFixedArity(), owner);
    }

    private void linkMethod(Member member, Class<?> owner, MethodType type) throws NoSuchMethodException, IllegalAccessException {
        boolean isStatic = !member.hasReceiver;
        Method found;
        try {
            found = find(owner, member.name, type);
        } catch (NoClassDefFoundError e) {
            // Some other member names a class that is not there; looking up just this one still works.
            MethodHandles.Lookup rights = rightsIn(owner);
            MethodHandle handle = isStatic ? rights.findStatic(owner, member.name, type) : rights.findVirtual(owner, member.name, type);
            member.linked(handle.asFixedArity(), owner);
            return;
        }
        if (found == null) {
            throw new NoSuchMethodException();
        }
        if (Modifier.isStatic(found.getModifiers()) != isStatic) {
            throw new Unlinkable(shown(owner, member) + (isStatic ? " is not static" : " is static"));
        }
        if (canInvoke(member, owner, found.getDeclaringClass(), found.getModifiers(), found.getParameterTypes())) {
            member.linkInvoker();
            return;
        }
        makeAccessible(found);
        member.linked(lookup().unreflect(found).asFixedArity(), found.getDeclaringClass());
    }

    /** Whether an {@link Invoker} does: it may call the member and name its class and the types of its parameters. */
    private boolean canInvoke(Member member, Class<?> owner, Class<?> declaring, int modifiers, Class<?>[] params) {
        if (!member.hasInvoker() || Modifier.isPrivate(modifiers) || !canDefine(member, owner)) {
            return false;
        }
        Class<?> neighbour = member.isBeside ? owner : null;
        boolean canCall = canName(owner, neighbour) && (Modifier.isPublic(modifiers) || areBeside(declaring, neighbour));
        for (int i = 0; canCall && i < params.length; i++) {
            canCall = canName(params[i], neighbour);
        }
        return canCall;
    }

    /** Nothing can be defined beside classes of other loaders. */
    private boolean canDefine(Member member, Class<?> owner) {
        return !member.isBeside || owner.getClassLoader() == loader;
    }

    /** Whether an invoker in the package of {@code neighbour}, or else in one of ours, may name the type. */
    private static boolean canName(Class<?> type, Class<?> neighbour) {
        Class<?> element = type;
        while (element.isArray()) {
            element = element.getComponentType();
        }
        return isOpen(element) || areBeside(element, neighbour);
    }

    /** Whether both are in the same package, as the VM sees it. */
    private static boolean areBeside(Class<?> type, Class<?> neighbour) {
        return neighbour != null && type.getClassLoader() == neighbour.getClassLoader()
                && packageOf(type).equals(packageOf(neighbour));
    }

    private static String packageOf(Class<?> type) {
        String name = type.getName();
        return name.substring(0, Math.max(0, name.lastIndexOf('.')));
    }

    /** Public, and not in a package that the JDK keeps to itself. It does so with all that are not named like an API. */
    private static boolean isOpen(Class<?> type) {
        String name = type.getName();
        return Modifier.isPublic(type.getModifiers()) && !name.startsWith("jdk.") && !name.startsWith("sun.")
                && !name.startsWith("com.sun.") && !name.startsWith("org.jcp.");
    }

    Invoker define(byte[] classFile) {
        return definer.invoker(loader, classFile);
    }

    Member linkField(FieldSymbol field, boolean isSetter) {
        Class<?> owner = field.owner.get();
        String shown = owner.getName() + "." + field.name;
        boolean isStatic = field.kind == Wire.MEMBER_STATIC;
        try {
            Field found = find(owner, field.name, field.type.get());
            if (found == null) {
                throw new Unlinkable(shown + " does not exist");
            }
            if (Modifier.isStatic(found.getModifiers()) != isStatic) {
                throw new Unlinkable(shown + (isStatic ? " is not static" : " is static"));
            }
            if (isSetter && isStatic && Modifier.isFinal(found.getModifiers())) {
                // No test can; up to JDK 11 a method handle would.
                throw new IllegalAccessException();
            }
            makeAccessible(found);
            Member member = new Member(this, field.kind, field.owner, field.name, null, null);
            member.linked(isSetter ? lookup().unreflectSetter(found) : lookup().unreflectGetter(found), found.getDeclaringClass());
            if (isStatic) {
                member.watched(watcher.staticsId(found.getDeclaringClass()), isSetter ? Member.WRITE : reading(field, found));
            }
            return member;
        } catch (IllegalAccessException e) {
            throw new Unlinkable(shown + " cannot be accessed");
        } catch (LinkageError e) {
            throw new Unlinkable(shown + " cannot be linked: " + e);
        }
    }

    /** What reading a static field may lead to. The constants of an enum are what they are until the VM ends. */
    private int reading(FieldSymbol field, Field found) {
        boolean isSafe = found.isEnumConstant() || watcher.isConstant(field.name, field.type.descriptor);
        return isSafe ? Member.READ : Member.READ_CHANGEABLE;
    }

    /** By resolution of the JVM: superclasses first, then interfaces. */
    private static Method find(Class<?> owner, String name, MethodType type) {
        for (Class<?> c = owner; c != null; c = c.getSuperclass()) {
            Method found = declared(c, name, type);
            if (found != null) {
                return found;
            }
        }
        for (Class<?> c = owner; c != null; c = c.getSuperclass()) {
            for (Class<?> i : c.getInterfaces()) {
                Method found = find(i, name, type);
                if (found != null) {
                    return found;
                }
            }
        }
        return owner.isInterface() ? declared(Object.class, name, type) : null;
    }

    private static Method declared(Class<?> owner, String name, MethodType type) {
        try {
            Method found = owner.getDeclaredMethod(name, type.parameterArray());
            if (found.getReturnType() == type.returnType()) {
                return found;
            }
        } catch (NoSuchMethodException e) {
            return null;
        }
        // Several methods differ by return type only: bridges.
        for (Method candidate : owner.getDeclaredMethods()) {
            if (candidate.getName().equals(name) && candidate.getReturnType() == type.returnType()
                    && java.util.Arrays.equals(candidate.getParameterTypes(), type.parameterArray())) {
                return candidate;
            }
        }
        return null;
    }

    private static Field find(Class<?> owner, String name, Class<?> type) {
        for (Class<?> c = owner; c != null; c = c.getSuperclass()) {
            try {
                Field found = c.getDeclaredField(name);
                if (found.getType() == type) {
                    return found;
                }
            } catch (NoSuchFieldException e) {
                // Look further up.
            }
            for (Class<?> i : c.getInterfaces()) {
                Field found = find(i, name, type);
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }

    /** Without effect where a module is not open: then the access check decides, as it does for a test. */
    private static void makeAccessible(AccessibleObject member) {
        try {
            member.setAccessible(true);
        } catch (RuntimeException e) {
            // InaccessibleObjectException, which JDK 8 does not have.
        }
    }

    private MethodHandles.Lookup lookup() {
        if (lookup == null) {
            try {
                lookup = (MethodHandles.Lookup) caller.getMethod("lookup").invoke(null);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
        return lookup;
    }

    /** A lookup with all rights in the class where the JDK can give it (9 and later), else our own. */
    private MethodHandles.Lookup rightsIn(Class<?> owner) {
        try {
            Method privateLookupIn = MethodHandles.class.getMethod("privateLookupIn", Class.class, MethodHandles.Lookup.class);
            return (MethodHandles.Lookup) privateLookupIn.invoke(null, owner, lookup());
        } catch (ReflectiveOperationException e) {
            return lookup();
        }
    }
}
