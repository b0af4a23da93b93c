// Taylor coefficients of all lanes. Between an order and the next the sums of all products are found
// from their factors in rows, sum_{j=1..k-1} a_j b_{k-j}, in the order of src/execute/jets_template.h:
// from the middle outwards, in two halves. Those of an even k are found with those of k + 1 but its
// ends, so that a factor is read once for both.
#define HAMEL_INLINE static inline __attribute__((always_inline))
#if defined __clang__
#define HAMEL_UNROLLED _Pragma("unroll")
#elif defined __GNUC__
#define HAMEL_UNROLLED _Pragma("GCC unroll 32")
#else
#define HAMEL_UNROLLED
#endif
enum { MIDDLE = 2 * PRODUCTS }; // behind the ends of products in `later`, those of squares

// Coefficients k of so many products from i on; k is even, and a number for the compiler
HAMEL_INLINE void products_even(series_work *w, int i, const int count, const int k) {
    const lanes *a[2], *b[2];
    lanes t[2], g[2], u[2], v[2], c[2], d[2];
    for (int p = 0; p < count; p++) {
        a[p] = w->v + PRODUCT[i + p][0], b[p] = w->v + PRODUCT[i + p][1];
        t[p] = g[p] = u[p] = v[p] = lanes_all(0);
    }
    if (k > 2) {
        const int m = k / 2;
        for (int p = 0; p < count; p++) {
            d[p] = b[p][m + 1], u[p] = lanes_fma(a[p][m], d[p], u[p]);
            c[p] = a[p][m + 1], v[p] = lanes_fma(c[p], b[p][m], v[p]);
        }
        HAMEL_UNROLLED for (int j = m - 1; j > 1; j--)
            for (int p = 0; p < count; p++) {
                const lanes x = a[p][j], y = b[p][j];
                t[p] = lanes_fma(x, d[p], t[p]), d[p] = b[p][k + 1 - j];
                u[p] = lanes_fma(x, d[p], u[p]);
                g[p] = lanes_fma(c[p], y, g[p]), c[p] = a[p][k + 1 - j];
                v[p] = lanes_fma(c[p], y, v[p]);
            }
        for (int p = 0; p < count; p++) {
            t[p] = lanes_fma(a[p][1], d[p], t[p]), g[p] = lanes_fma(c[p], b[p][1], g[p]);
        }
    }
    for (int p = 0; p < count; p++) {
        w->s[i + p] = lanes_fma(a[p][k / 2], b[p][k / 2], t[p] + g[p]);
        w->later[2 * (i + p)] = u[p], w->later[2 * (i + p) + 1] = v[p];
    }
}

HAMEL_INLINE void squares_even(series_work *w, int i, const int count, const int k) {
    const lanes *a[4];
    lanes t[4], u[4], d[4];
    const int m = k / 2;
    for (int p = 0; p < count; p++)
        a[p] = w->v + SQUARE[i + p][0], t[p] = u[p] = lanes_all(0);
    if (k > 2) {
        for (int p = 0; p < count; p++) d[p] = a[p][m + 1], u[p] = lanes_fma(a[p][m], d[p], u[p]);
        HAMEL_UNROLLED for (int j = m - 1; j > 1; j--)
            for (int p = 0; p < count; p++) {
                const lanes x = a[p][j];
                t[p] = lanes_fma(x, d[p], t[p]), d[p] = a[p][k + 1 - j];
                u[p] = lanes_fma(x, d[p], u[p]);
            }
        for (int p = 0; p < count; p++) t[p] = lanes_fma(a[p][1], d[p], t[p]);
    }
    for (int p = 0; p < count; p++) {
        w->s[PRODUCTS + i + p] = lanes_fma(a[p][m], a[p][m], lanes_all(2) * t[p]);
        w->later[MIDDLE + i + p] = u[p];
    }
}

HAMEL_INLINE void sums_even(series_work *w, const int k) {
    int i = 0;
    for (; i + 2 <= PRODUCTS; i += 2) products_even(w, i, 2, k);
    if (PRODUCTS % 2) products_even(w, i, 1, k);
    for (i = 0; i + 4 <= SQUARES; i += 4) squares_even(w, i, 4, k);
    if (SQUARES % 4) squares_even(w, i, SQUARES % 4, k);
}

// Only the ends are missing, a_1 b_{k-1} and a_{k-1} b_1
static void sums_odd(series_work *w, int k) {
    for (int i = 0; i < PRODUCTS; i++) {
        const lanes *a = w->v + PRODUCT[i][0], *b = w->v + PRODUCT[i][1];
        w->s[i] = lanes_fma(a[1], b[k - 1], w->later[2 * i]) +
                  lanes_fma(a[k - 1], b[1], w->later[2 * i + 1]);
    }
    for (int i = 0; i < SQUARES; i++) {
        const lanes *a = w->v + SQUARE[i][0];
        w->s[PRODUCTS + i] = lanes_all(2) * lanes_fma(a[1], a[k - 1], w->later[MIDDLE + i]);
    }
}

static void sums(series_work *w, int k) {
    if (k == 1) {
        for (int i = 0; i < PRODUCTS + SQUARES; i++) w->s[i] = lanes_all(0);
        return;
    }
    if (k % 2) {
        sums_odd(w, k);
        return;
    }
#define EVEN(n)                                                                                    \
    case n:                                                                                        \
        if (n < ORDER) sums_even(w, n);                                                            \
        break;
    switch (k) {
        EVEN(2) EVEN(4) EVEN(6) EVEN(8) EVEN(10) EVEN(12) EVEN(14) EVEN(16) EVEN(18) EVEN(20)
        EVEN(22) EVEN(24) EVEN(26) EVEN(28)
    }
}
