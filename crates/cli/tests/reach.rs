//! Frames that no test can see, because the exception is kept inside of one of them: what is searched for, graded and said.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use serde_json::{Value, json};
use std::path::PathBuf;
use support::{Ended, end, lock_up, reenact};

/// A worker that logs what goes wrong in an order, and a command that ends the VM.
const WORKER: &str = "\
package shop;
public class Worker {
    public static void main(String[] args) {
        new Worker().work(args);
    }
    public void work(String[] codes) {
        for (String code : codes) {
            try {
                new Order(code).price();
            } catch (RuntimeException e) {
                System.err.println(\"order failed: \" + e);
            }
        }
    }
}
";
const ORDER: &str = "\
package shop;
public class Order {
    private final String code;
    public Order(String code) {
        this.code = code;
    }
    public int price() {
        return digit(code);
    }
    static int digit(String code) {
        return code.charAt(3) - '0';
    }
}
";
const LOG: &str = "\
java.lang.StringIndexOutOfBoundsException: index 3, length 0
\tat java.lang.String.charAt(String.java:1)
\tat shop.Order.digit(Order.java:11)
\tat shop.Order.price(Order.java:8)
\tat shop.Worker.work(Worker.java:9)
\tat shop.Worker.main(Worker.java:4)
";

/// Letters are sent by a thread that nobody else can get at.
const MAILER: &str = "\
package shop;
import java.util.LinkedList;
public class Mailer {
    private final LinkedList<String> queue = new LinkedList<>();
    public Mailer() {
        Thread sender = new Thread(new Sender());
        sender.setDaemon(true);
        sender.start();
    }
    public void send(String code) {
        synchronized (queue) {
            queue.add(code);
            queue.notifyAll();
        }
    }
    private class Sender implements Runnable {
        public void run() {
            try {
                while (true) {
                    new Order(next()).price();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        private String next() throws InterruptedException {
            synchronized (queue) {
                while (queue.isEmpty()) {
                    queue.wait();
                }
                return queue.remove();
            }
        }
    }
}
";
const OF_THREAD: &str = "\
Exception in thread \"Thread-0\" java.lang.StringIndexOutOfBoundsException: index 3, length 0
\tat java.lang.String.charAt(String.java:1)
\tat shop.Order.digit(Order.java:11)
\tat shop.Order.price(Order.java:8)
\tat shop.Mailer$Sender.run(Mailer.java:20)
\tat java.lang.Thread.run(Thread.java:1)
";

struct Shop(tempfile::TempDir);

impl Shop {
    fn open(worker: &str) -> Shop {
        Shop::with("Worker", worker, LOG)
    }

    fn with(class: &str, text: &str, log: &str) -> Shop {
        let shop = Shop(tempfile::tempdir().unwrap());
        let home =
            program::Jdk::find(None).expect("the tests need a JDK: set JAVA_HOME, or see `cargo xtask test`").home;
        #[expect(clippy::disallowed_methods, reason = "the test needs programs of its own")]
        let mut javac = std::process::Command::new(home.join("bin/javac"));
        javac.args(["-g", "-d"]).arg(shop.path("program"));
        for (name, text) in [(class, text), ("Order", ORDER), ("crash.log", log)] {
            let file = if name.contains('.') { shop.path(name) } else { shop.path(&format!("{name}.java")) };
            std::fs::write(&file, text).unwrap();
            if !name.contains('.') {
                javac.arg(file);
            }
        }
        assert!(javac.status().unwrap().success());
        shop
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn reenact(&self, args: &[&str]) -> Ended {
        let mut command = reenact();
        command.args(args).arg(self.path("crash.log")).arg("-c").arg(self.path("program"));
        end(&mut command)
    }

    fn reproduce(&self, more: &[&str]) -> Ended {
        let mut command = reenact();
        command.arg(self.path("crash.log")).arg("-c").arg(self.path("program"));
        command.args(["--candidates", "3000", "--out"]).arg(self.path("out")).args(more).args(lock_up());
        end(&mut command)
    }
}

const REASON: &str = "catches RuntimeException at line 10 and only logs it";

#[test]
fn the_stack_up_to_the_frame_that_keeps_the_exception_is_all_there_is_to_show() {
    let shop = Shop::open(WORKER);
    let ended = shop.reproduce(&["--json"]);
    let result = ended.result();
    assert!(result["grade"].as_str().unwrap().starts_with("full-reachable"), "{result}");
    assert_eq!(ended.code(), Some(0), "{result}");
    assert_eq!(result["frames"], json!({ "matched": 2, "of": 4, "reachable": 2 }));
    assert!(result["candidates"].as_u64().unwrap() < 3000, "no budget is burnt: {result}");
    assert_eq!((&result["reason"], &result["differences"]), (&Value::Null, &json!([])), "{result}");
    let work = &result["unreachable"][0];
    assert_eq!((&work["number"], &work["reason"]), (&json!(3), &json!(REASON)), "{result}");
    let main = &result["unreachable"][1];
    assert_eq!(main["frame"], "shop.Worker.main(Worker.java:4)", "{result}");
    assert_eq!(main["reason"], format!("does not get it: Worker.work {REASON}"), "{result}");
    let source = result["source"].as_str().unwrap();
    assert!(source.contains("The log goes on with shop.Worker.work(Worker.java:9), which catches"), "{source}");

    // The written test is worth the same to whoever grades it.
    let test = result["test"].as_str().unwrap();
    let mut confirm = reenact();
    confirm.args(["confirm", test]).arg(shop.path("crash.log")).arg("-c").arg(shop.path("program"));
    let confirmed = end(confirm.arg("--json").args(lock_up()));
    let graded = confirmed.result();
    assert_eq!((&graded["grade"], confirmed.code()), (&result["grade"], Some(0)), "{graded}");
    assert_eq!((&graded["frames"], &graded["unreachable"]), (&result["frames"], &result["unreachable"]), "{graded}");
}

#[test]
fn check_says_which_frames_are_out_of_reach_and_why() {
    let shop = Shop::open(WORKER);
    let text = shop.reenact(&["check"]).stdout;
    assert!(text.contains(&format!("out of reach: {REASON}")), "{text}");
    assert!(text.contains("4 of 4 application frames bound, frames 1 to 2 within reach of a test"), "{text}");
    let json: Value = serde_json::from_str(&shop.reenact(&["check", "--json"]).stdout).unwrap();
    assert_eq!(json["verdict"]["reachable"], 2, "{json}");
    let reasons: Vec<&Value> = json["frames"].as_array().unwrap().iter().map(|frame| &frame["unreachable"]).collect();
    assert!(reasons[..3].iter().all(|reason| reason.is_null()) && reasons[3] == REASON, "{json}");
}

#[test]
fn a_main_that_lets_it_through_is_called() {
    let through = WORKER.replace("System.err.println(\"order failed: \" + e);", "throw e;");
    let shop = Shop::open(&through);
    let ended = shop.reproduce(&["--json"]);
    let result = ended.result();
    assert!(result["grade"].as_str().unwrap().starts_with("full-stack"), "{result}");
    assert_eq!(result["frames"], json!({ "matched": 4, "of": 4, "reachable": 4 }));
    assert_eq!((&result["unreachable"], ended.code()), (&json!([]), Some(0)), "{result}");
    assert!(result["source"].as_str().unwrap().contains("Worker.main("), "{result}");
}

#[test]
fn an_exception_that_ends_a_thread_of_the_program_is_kept_and_thrown() {
    let shop = Shop::with("Mailer", MAILER, OF_THREAD);
    let ended = shop.reproduce(&["--json"]);
    let result = ended.result();
    assert!(result["grade"].as_str().unwrap().starts_with("full-stack"), "{result}");
    assert_eq!(result["frames"], json!({ "matched": 3, "of": 3, "reachable": 3 }), "{result}");
    assert_eq!((ended.code(), &result["flags"]), (Some(0), &json!([])), "{result}");
    let source = result["source"].as_str().unwrap();
    for part in
        ["Thread.setDefaultUncaughtExceptionHandler((thread, uncaught) -> ", "new Mailer()", ".poll(", "finally"]
    {
        assert!(source.contains(part), "{part} in {source}");
    }
}
