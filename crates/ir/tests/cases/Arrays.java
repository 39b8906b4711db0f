/** Array instructions of every element type, with all their checks. */
public class Arrays {
    static int get(int[] a, int i) {
        return a[i];
    }

    static int postIncrement(int[] a, int i) {
        int j = i;
        return a[j++] + a[j++] * 2 + j;
    }

    static int compound(int[] a, int i) {
        a[i] += 5;
        a[i]++;
        ++a[i];
        a[i] <<= a[i]-- & 3;
        return a[i];
    }

    static int assigned(int[] a, int i, int j) {
        int k;
        a[i] = a[k = j] = a.length + i;
        return a[i] * k;
    }

    static long ofEveryType(int n) {
        n %= 40;
        boolean[] booleans = new boolean[n];
        byte[] bytes = new byte[n];
        char[] chars = new char[n];
        short[] shorts = new short[n];
        long[] longs = new long[n];
        float[] floats = new float[n];
        double[] doubles = new double[n];
        for (int i = 0; i < n; i++) {
            booleans[i] = i % 2 == 0;
            bytes[i] = (byte) (i * 77);
            chars[i] = (char) (i * 7777);
            shorts[i] = (short) (i * 7777);
            longs[i] = i * 7777777777L;
            floats[i] = i / 3f;
            doubles[i] = i / 7.0;
        }
        long sum = 0;
        for (int i = n - 1; i >= 0; i--) {
            sum = sum * 31 + (booleans[i] ? bytes[i] : chars[i]) + shorts[i] + longs[i] + (long) (floats[i] + doubles[i]);
        }
        return sum;
    }

    static int matrix(int n, int m) {
        n %= 10;
        m %= 10;
        int[][] matrix = new int[n][m];
        int[][] ragged = new int[n][];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < m; j++) {
                matrix[i][j] = i * j;
            }
            ragged[i] = matrix[n - 1 - i];
        }
        return ragged[0][m - 1] + ragged[n - 1].length;
    }

    static int missingRow(int n) {
        int[][][] cube = new int[2][n & 3][];
        return cube[1][0].length;
    }

    static int store(int which) {
        Object[] objects = which == 0 ? new Object[1] : which == 1 ? new String[1] : new int[1][];
        objects[0] = which > 2 ? null : new int[3];
        return objects.length;
    }

    static int cast(Object object) {
        int[] ints = (int[]) object;
        return object instanceof int[] ? ints.length : -1;
    }

    static int forEach(int[] a) {
        int sum = 0;
        for (int element : a) {
            sum = sum * 17 + element;
        }
        return sum;
    }

    static long dup2(long[] a, int i, long by) {
        long before = a[i]++;
        return before + (a[i] *= by);
    }
}
