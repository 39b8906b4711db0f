import static org.testng.Assert.assertEquals;
import static org.testng.Assert.expectThrows;

import org.acme.Ledger;
import org.acme.Office;
import org.acme.ReportFailed;
import org.testng.SkipException;
import org.testng.annotations.AfterMethod;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.BeforeMethod;
import org.testng.annotations.Test;

/** What people use of TestNG beyond `@Test`. Of its tests only the last one fails. */
public class TestNgWholeTest {
    private static int classes;
    private Ledger ledger;

    @BeforeClass
    public void once() {
        classes++;
    }

    @BeforeMethod
    public void before() {
        ledger = new Ledger();
        ledger.add(-5);
    }

    @AfterMethod
    public void after() {
        ledger = null;
    }

    @Test
    public void a() {
        assertEquals(classes, 1);
    }

    @Test
    public void b() {
        throw new SkipException("not today");
    }

    @Test(expectedExceptions = ReportFailed.class)
    public void c() {
        new Office(ledger).close();
    }

    @Test(enabled = false)
    public void d() {
        throw new IllegalStateException();
    }

    @Test
    public void e() {
        expectThrows(ReportFailed.class, () -> new Office(ledger).close());
    }

    @Test
    public void f() {
        new Office(ledger).close();
    }
}
