import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Properties;
import java.util.Set;

/**
 * What a program reads. Each method is public and static and takes nothing, so that a recipe or a test can call it; it returns if all is as
 * it should be. Those before {@code configuration} try to read what is none of theirs, the others need what they read. The paths are in
 * {@code reading.properties}, on the class path: whatever options of the VM name may be read.
 */
public final class Reading {
    private Reading() {}

    interface Attempt { int run(String path) throws Throwable; }

    // ---- What must not be read

    public static void secret() throws Exception { deny(path("secret")); }
    public static void ofAnotherUser() throws Exception { deny(path("others")); }
    public static void besideTheClassPath() throws Exception { deny(path("beside")); }
    public static void throughLinkInTheClassPath() throws Exception { deny(path("link")); }
    public static void throughLinkOfItsOwn() throws Exception {
        Path link = Paths.get("link-to-secret").toAbsolutePath();
        Files.createSymbolicLink(link, Paths.get(path("secret")));
        deny(link.toString());
    }
    public static void passwords() throws Exception { deny("/etc/shadow"); }
    public static void list() throws Exception { denyList(path("directory")); denyList("/"); denyList("/tmp"); denyList("/proc"); }

    public static void environment() throws Exception {
        Set<String> found = new HashSet<>(System.getenv().keySet());
        found.removeAll(Arrays.asList("LC_ALL", "HOME", "TZ", "LD_LIBRARY_PATH"));
        // A user's shell has more than these, and so has whoever runs this test.
        check(found.isEmpty(), "variables " + found);
        String raw = new String(Files.readAllBytes(Paths.get("/proc/self/environ")), "ISO-8859-1");
        check(!raw.contains("CARGO") && !raw.contains("PATH=/usr"), raw);
        check(System.getenv("HOME").equals(System.getProperty("user.home")), "home " + System.getenv("HOME"));
    }

    public static void otherProcesses() throws Exception {
        for (String process : new String[] {path("process"), path("tool"), "1"}) {
            for (String file : new String[] {"cmdline", "environ", "status", "maps", "mem", "stat", "comm", "limits", "cwd/x", "root/etc/passwd"}) {
                deny("/proc/" + process + "/" + file);
            }
            denyList("/proc/" + process);
            denyList("/proc/" + process + "/fd");
            denyList("/proc/" + process + "/task");
        }
    }

    private static void deny(String path) throws Exception {
        Attempt[] ways = {
            p -> { try (InputStream in = new FileInputStream(p)) { return in.read(); } },
            p -> Files.readAllBytes(Paths.get(p)).length,
            p -> { try (RandomAccessFile f = new RandomAccessFile(p, "r")) { return f.read(); } },
            p -> { try (FileChannel c = FileChannel.open(Paths.get(p), StandardOpenOption.READ)) { return c.map(FileChannel.MapMode.READ_ONLY, 0, 1).get(0); } },
            p -> new java.net.URL("file://" + p).openStream().read(),
            p -> { Path copy = Paths.get("copy").toAbsolutePath(); Files.copy(Paths.get(p), copy); Files.delete(copy); return 0; },
            p -> { Path link = Paths.get("hard").toAbsolutePath(); Files.createLink(link, Paths.get(p)); return Files.readAllBytes(link).length; },
        };
        for (Attempt way : ways) {
            try {
                way.run(path);
            } catch (Throwable denied) {
                continue;
            }
            throw new AssertionError("read " + path);
        }
    }

    private static void denyList(String path) {
        String[] found = new File(path).list();
        check(found == null, "listed " + path + ": " + Arrays.toString(found));
    }

    // ---- What must be read

    public static void configuration() throws Exception {
        check(Reading.class.getResourceAsStream("/reading.properties") != null, "as a resource");
        check(Files.size(Paths.get(Reading.class.getResource("/reading.properties").toURI())) > 0, "as a file");
        File directory = new File(Reading.class.getResource("/reading.properties").toURI()).getParentFile();
        check(directory.list().length > 0, "as a directory");
    }

    public static void classOfManifest() throws Exception { Class.forName("OnlyInManifest"); }

    public static void zones() {
        check(java.util.TimeZone.getTimeZone("Pacific/Chatham").getRawOffset() == 45_900_000, "Chatham");
        check(java.time.ZoneId.of("Europe/Berlin").getRules().getOffset(java.time.Instant.EPOCH).getTotalSeconds() == 3600, "Berlin");
        check(java.time.ZoneId.systemDefault() != null, "default");
    }

    public static void xml() throws Exception {
        byte[] text = "<a><b c='d'/></a>".getBytes("UTF-8");
        check(javax.xml.parsers.DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new ByteArrayInputStream(text)) != null, "DOM");
        javax.xml.parsers.SAXParserFactory.newInstance().newSAXParser().parse(new ByteArrayInputStream(text), new org.xml.sax.helpers.DefaultHandler());
        check(javax.xml.stream.XMLInputFactory.newInstance().createXMLStreamReader(new ByteArrayInputStream(text)).hasNext(), "StAX");
        check(javax.xml.transform.TransformerFactory.newInstance().newTransformer() != null, "XSLT");
        check(javax.xml.xpath.XPathFactory.newInstance().newXPath() != null, "XPath");
        check(javax.xml.validation.SchemaFactory.newInstance("http://www.w3.org/2001/XMLSchema") != null, "schema");
    }

    /** Where the machine has fonts. */
    public static void fonts() {
        if (new File("/etc/fonts/fonts.conf").exists() && new File("/usr/share/fonts").exists()) {
            java.awt.Graphics2D graphics = new java.awt.image.BufferedImage(9, 9, java.awt.image.BufferedImage.TYPE_INT_RGB).createGraphics();
            check(graphics.getFontMetrics(new java.awt.Font("SansSerif", 0, 12)).stringWidth("width") > 0, "metrics");
            check(java.awt.GraphicsEnvironment.getLocalGraphicsEnvironment().getAvailableFontFamilyNames().length > 0, "families");
        }
    }

    public static void machine() throws Exception {
        check(Runtime.getRuntime().availableProcessors() > 0, "processors");
        check(ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage() >= 0, "load");
        com.sun.management.OperatingSystemMXBean bean = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        check(bean.getTotalPhysicalMemorySize() > 0, "memory");
    }

    public static void certificates() throws Exception {
        Path store = Paths.get(System.getProperty("java.home"), "lib/security/cacerts");
        check(Files.readAllBytes(store).length > 0, "certificates");
        check(java.security.Security.getProviders().length > 3, "providers");
        check(new java.security.SecureRandom().generateSeed(4).length == 4, "random numbers");
    }

    public static void names() throws Exception {
        check(java.net.InetAddress.getByName("localhost").isLoopbackAddress(), "localhost");
        for (String file : new String[] {"/etc/passwd", "/etc/hosts", "/proc/self/status", "/proc/meminfo", "/proc/cpuinfo", "/proc/mounts", "/proc/self/cgroup"}) {
            check(Files.readAllBytes(Paths.get(file)).length > 0, file);
        }
    }

    public static void home() throws Exception {
        Path made = Files.createDirectories(Paths.get(System.getProperty("user.home"), ".cache/x")).resolve("y");
        Files.write(made, new byte[1]);
        check(Files.readAllBytes(made).length == 1, "home");
        check(File.createTempFile("made", "here").delete(), "temporary file");
    }

    public static void snappy() throws Exception {
        Class<?> type = Class.forName("org.xerial.snappy.Snappy");
        byte[] packed = (byte[]) type.getMethod("compress", String.class).invoke(null, "text");
        check(type.getMethod("uncompressString", byte[].class).invoke(null, packed).equals("text"), "snappy");
    }

    public static void sqlite() throws Exception {
        try (java.sql.Connection connection = java.sql.DriverManager.getConnection("jdbc:sqlite::memory:")) {
            check(connection.createStatement().executeQuery("select 42").getInt(1) == 42, "sqlite");
        }
    }

    public static void netty() throws Exception {
        Class<?> loader = Class.forName("io.netty.util.internal.NativeLibraryLoader");
        loader.getMethod("load", String.class, ClassLoader.class).invoke(null, "netty_tcnative_linux_x86_64", Reading.class.getClassLoader());
    }

    public static void allowed() throws Exception { Files.readAllBytes(Paths.get(path("allowed"))); }

    // ---- A program that cannot go on

    public static void wants() throws Exception { Files.readAllBytes(Paths.get(path("secret"))); }
    public static void wantsInStream() throws Exception { new FileInputStream(path("secret")).close(); }

    /** With stacks so small that their memory does not count for much. */
    public static void manyThreads() throws Exception {
        for (int k = 0; k < 6000; k++) {
            Thread thread = new Thread(null, () -> { try { Thread.sleep(100_000); } catch (InterruptedException end) { } }, "small", 1);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private static String path(String name) throws Exception {
        Properties paths = new Properties();
        try (InputStream in = Reading.class.getResourceAsStream("/reading.properties")) {
            paths.load(in);
        }
        return paths.getProperty(name);
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }
}
