/** Handlers: their order, their ranges, what they see of locals, and finally blocks. */
public class Exceptions {
    static class Own extends RuntimeException {
        final int code;

        Own(int code) {
            this.code = code;
        }
    }

    static class Sub extends Own {
        Sub(int code) {
            super(code * 2);
        }
    }

    static int caught(int a, int b) {
        try {
            return a / b;
        } catch (ArithmeticException e) {
            return -1;
        }
    }

    static int localsSeen(int[] a, int i) {
        int step = 0;
        try {
            step = 1;
            a[i] = 3;
            step = 2;
            a[i + 1] = 4;
            step = 3;
        } catch (ArrayIndexOutOfBoundsException e) {
            step += 10;
        } catch (RuntimeException e) {
            step += 100;
        } finally {
            step += 1000;
        }
        return step;
    }

    static int finallyReturns(int a) {
        try {
            if (a == 0) {
                throw new IllegalStateException();
            }
            return 10 / (a - 1);
        } finally {
            if (a > 5) {
                return a;
            }
        }
    }

    static int order(int which) {
        try {
            fail(which);
            return 0;
        } catch (Sub e) {
            return e.code;
        } catch (Own e) {
            return e.code + 1000;
        } catch (NullPointerException | ArithmeticException e) {
            return 3;
        } finally {
            if (which == 77) {
                throw new UnsupportedOperationException();
            }
        }
    }

    static void fail(int which) {
        switch (which & 7) {
            case 0:
                throw new Own(which);
            case 1:
                throw new Sub(which);
            case 2:
                throw null;
            case 3:
                System.identityHashCode(new int[which % 200 - 100]);
                break;
            case 4:
                Object[] strings = new String[1];
                strings[0] = new Own(1);
                break;
            case 5:
                Object own = new Own(2);
                Sub sub = (Sub) own;
                break;
            default:
        }
    }

    static int nested(int a) {
        int trace = 1;
        try {
            try {
                trace = trace * 10 + 1;
                if (a % 2 == 0) {
                    throw new Own(a);
                }
                trace = trace * 10 + 2;
                trace += 5 / (a % 3);
            } catch (Own e) {
                trace = trace * 10 + 3;
                throw new Sub(e.code / (a % 5));
            } finally {
                trace = trace * 10 + 4;
            }
        } catch (Sub e) {
            trace = trace * 10 + 5 + e.code;
        } catch (ArithmeticException e) {
            trace = trace * 10 + 6;
        }
        return trace;
    }

    static int loop(int n) {
        int count = 0;
        for (int i = 0; i < 12; i++) {
            try {
                if (i % (n & 7) == 0) {
                    continue;
                }
                count++;
                if (count > 4) {
                    break;
                }
            } catch (ArithmeticException e) {
                count += 100;
            } finally {
                count += 1000;
            }
        }
        return count;
    }

    static int synchronizedOn(Object lock, int a) {
        synchronized (lock) {
            a = 100 / a;
        }
        return a;
    }

    static int rethrown(int a) throws Exception {
        try {
            return 5 / a;
        } catch (Exception e) {
            if (a == 0) {
                throw e;
            }
            return 1;
        }
    }

    static int linesApart(int[] a, int b,
            int c) {
        return a[b]
            / c
            + a[
                c];
    }
}
