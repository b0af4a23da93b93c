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

// A factor of several products: read once, and not once for each of them
HAMEL_INLINE lanes factor(const lanes *at) {
    lanes x = *at;
#ifdef LANES_OF_PROCESSOR
    __asm__("" : "+v"(x));
#endif
    return x;
}

// Coefficient k of product i; k is even, and a number for the compiler. Neither of the four sums
// waits for another, and those of the next product for none of them.
HAMEL_INLINE void product_even(series_work *w, int i, const int k) {
    const lanes *a = w->v + PRODUCT[i][0], *b = w->v + PRODUCT[i][1];
    const int m = k / 2;
    const lanes p = factor(a + m), q = factor(b + m);
    lanes t = lanes_all(0), g = t, u = t, v = t;
    if (k > 2) {
        lanes d = factor(b + m + 1), c = factor(a + m + 1);
        u = lanes_fma(p, d, u), v = lanes_fma(c, q, v);
        HAMEL_UNROLLED for (int j = m - 1; j > 1; j--) {
            const lanes x = factor(a + j), y = factor(b + j);
            t = lanes_fma(x, d, t), d = factor(b + k + 1 - j), u = lanes_fma(x, d, u);
            g = lanes_fma(c, y, g), c = factor(a + k + 1 - j), v = lanes_fma(c, y, v);
        }
        t = lanes_fma(a[1], d, t), g = lanes_fma(c, b[1], g);
    }
    w->s[i] = lanes_fma(p, q, t + g);
    w->later[2 * i] = u, w->later[2 * i + 1] = v;
}

// Two products of one factor, a b and a e: it is read once for both
HAMEL_INLINE void pair_even(series_work *w, int i, const int k) {
    const lanes *a = w->v + PRODUCT[i][0], *b = w->v + PRODUCT[i][1], *e = w->v + PRODUCT[i + 1][1];
    const int m = k / 2;
    const lanes p = factor(a + m), q = factor(b + m), r = factor(e + m);
    lanes t = lanes_all(0), g = t, u = t, v = t, t2 = t, g2 = t, u2 = t, v2 = t;
    if (k > 2) {
        lanes c = factor(a + m + 1), d = factor(b + m + 1), f = factor(e + m + 1);
        u = lanes_fma(p, d, u), v = lanes_fma(c, q, v);
        u2 = lanes_fma(p, f, u2), v2 = lanes_fma(c, r, v2);
        HAMEL_UNROLLED for (int j = m - 1; j > 1; j--) {
            const lanes x = factor(a + j), y = factor(b + j), z = factor(e + j);
            t = lanes_fma(x, d, t), d = factor(b + k + 1 - j), u = lanes_fma(x, d, u);
            t2 = lanes_fma(x, f, t2), f = factor(e + k + 1 - j), u2 = lanes_fma(x, f, u2);
            g = lanes_fma(c, y, g), g2 = lanes_fma(c, z, g2), c = factor(a + k + 1 - j);
            v = lanes_fma(c, y, v), v2 = lanes_fma(c, z, v2);
        }
        const lanes x = factor(a + 1);
        t = lanes_fma(x, d, t), t2 = lanes_fma(x, f, t2);
        g = lanes_fma(c, b[1], g), g2 = lanes_fma(c, e[1], g2);
    }
    w->s[i] = lanes_fma(p, q, t + g), w->s[i + 1] = lanes_fma(p, r, t2 + g2);
    w->later[2 * i] = u, w->later[2 * i + 1] = v;
    w->later[2 * i + 2] = u2, w->later[2 * i + 3] = v2;
}

HAMEL_INLINE void square_even(series_work *w, int i, const int k) {
    const lanes *a = w->v + SQUARE[i][0];
    const int m = k / 2;
    const lanes p = factor(a + m);
    lanes t = lanes_all(0), u = t;
    if (k > 2) {
        lanes d = factor(a + m + 1);
        u = lanes_fma(p, d, u);
        HAMEL_UNROLLED for (int j = m - 1; j > 1; j--) {
            const lanes x = factor(a + j);
            t = lanes_fma(x, d, t), d = factor(a + k + 1 - j), u = lanes_fma(x, d, u);
        }
        t = lanes_fma(a[1], d, t);
    }
    w->s[PRODUCTS + i] = lanes_fma(p, p, lanes_all(2) * t), w->later[MIDDLE + i] = u;
}

HAMEL_INLINE void sums_even(series_work *w, const int k) {
    for (int i = 0; i < 2 * PAIRS; i += 2) pair_even(w, i, k);
    for (int i = 2 * PAIRS; i < PRODUCTS; i++) product_even(w, i, k);
    for (int i = 0; i < SQUARES; i++) square_even(w, i, k);
}

// There is nothing between the ends of order 1
static void sums_one(series_work *w) {
    for (int i = 0; i < PRODUCTS + SQUARES; i++) w->s[i] = lanes_all(0);
    w->seen = lanes_all(0);
}

static void sums(series_work *w, int k) {
#define EVEN(n)                                                                                    \
    case n:                                                                                        \
        if (n < ORDER) sums_even(w, n);                                                            \
        break;
    switch (k) {
        EVEN(2) EVEN(4) EVEN(6) EVEN(8) EVEN(10) EVEN(12) EVEN(14) EVEN(16) EVEN(18) EVEN(20)
        EVEN(22) EVEN(24) EVEN(26) EVEN(28)
    }
}
