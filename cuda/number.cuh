// --- numbers ---------------------------------------------------------------------------------------

// sin and cos of one angle. Up to FAR the angle is reduced by two or three parts of pi/2 with fused
// products, and the polynomials are those of fdlibm (double) and of Cephes (float): the error is
// below 1.5 units in the last place. What is farther away is left to the library; in float, where such
// an angle has no digits behind the point, it is not looked for.
#ifdef __CUDA_ARCH__
#define HAMEL_LIBRARY_SINCOS(x, s, c) sincos(x, s, c)
#else
#define HAMEL_LIBRARY_SINCOS(x, s, c) (*(s) = sin(x), *(c) = cos(x))
#endif

// Handed back in registers: an address would keep what it is of in memory.
typedef struct {
    double s, c;
} hamel_sine_and_cosine;
static HAMEL_FAR hamel_sine_and_cosine hamel_far_sincos(double x) {
    hamel_sine_and_cosine both;
    HAMEL_LIBRARY_SINCOS(x, &both.s, &both.c);
    return both;
}
HAMEL_TABLE double hamel_sine[6] = {1.58969099521155010221e-10, -2.50507602534068634195e-08,
                                    2.75573137070700676789e-06, -1.98412698298579493134e-04,
                                    8.33333333332248946124e-03, -1.66666666666666324348e-01};
HAMEL_TABLE double hamel_cosine[6] = {-1.13596475577881948265e-11, 2.08757232129817482790e-09,
                                      -2.75573143513906633035e-07, 2.48015872894767294178e-05,
                                      -1.38888888888741095749e-03, 4.16666666666666019037e-02};
// 2/pi, a number whose sum with a small one is rounded to a whole one, and -pi/2 in two parts
HAMEL_TABLE double hamel_turn[4] = {6.36619772367581382433e-01, 6755399441055744.0,
                                    -1.57079632679489655800e+00, -6.12323399573676603587e-17};

HAMEL_DEVICE bool hamel_is_far(double x) {
    const int FAR = 0x40f86a00; // the upper half of 1e5; of what is not finite it is larger
    return (HAMEL_HIGH_WORD(x) & 0x7fffffff) >= FAR;
}

// Of an angle that is not far
HAMEL_DEVICE void hamel_near_sincos(double x, double *s, double *c) {
    // r = x - quarters pi/2, in which the first product and its sum are exact
    const double shifted = fma(x, hamel_turn[0], hamel_turn[1]), quarters = shifted - hamel_turn[1],
                 r = fma(quarters, hamel_turn[3], fma(quarters, hamel_turn[2], x)), y = r * r;
    const int quarter = HAMEL_LOW_WORD(shifted);
    double a = hamel_sine[0], b = hamel_cosine[0];
    HAMEL_UNROLL for (int i = 1; i < 6; i++) a = fma(a, y, hamel_sine[i]);
    HAMEL_UNROLL for (int i = 1; i < 6; i++) b = fma(b, y, hamel_cosine[i]);
    const double sine = fma(y * r, a, r), cosine = fma(fma(b, y, -0.5), y, 1.0);
    const double one = quarter & 1 ? cosine : sine, other = quarter & 1 ? sine : cosine;
    *s = quarter & 2 ? -one : one;
    *c = (quarter + 1) & 2 ? -other : other;
}

// NEAR: without a branch, and not a number where the angle is far: what follows from it is found
// once more then (hamel_pair::attempt).
template <bool NEAR> HAMEL_DEVICE void hamel_sincos_of(double x, double *s, double *c) {
    if (!NEAR && hamel_is_far(x)) {
        const hamel_sine_and_cosine both = hamel_far_sincos(x);
        *s = both.s, *c = both.c;
        return;
    }
    hamel_near_sincos(NEAR && hamel_is_far(x) ? NAN : x, s, c);
}

template <bool NEAR> HAMEL_DEVICE void hamel_sincos_of(float x, float *s, float *c) {
    const float shifted = fmaf(x, 0.636619747f, 12582912.0f), quarters = shifted - 12582912.0f;
    const int quarter = HAMEL_FLOAT_BITS(shifted);
    float r = fmaf(quarters, -1.57079625e+00f, x);
    r = fmaf(quarters, -7.54978942e-08f, r), r = fmaf(quarters, -5.39030253e-15f, r);
    const float y = r * r;
    const float sine = fmaf(y * r,
                            fmaf(fmaf(-1.9515295891e-4f, y, 8.3321608736e-3f), y, -1.6666654611e-1f),
                            r),
                cosine = fmaf(y * y,
                              fmaf(fmaf(2.443315711809948e-5f, y, -1.388731625493765e-3f), y,
                                   4.166664568298827e-2f),
                              fmaf(-0.5f, y, 1.0f));
    const float one = quarter & 1 ? cosine : sine, other = quarter & 1 ? sine : cosine;
    *s = quarter & 2 ? -one : one;
    *c = (quarter + 1) & 2 ? -other : other;
}

HAMEL_DEVICE void hamel_sincos(double x, double *s, double *c) { hamel_sincos_of<false>(x, s, c); }
HAMEL_DEVICE void hamel_sincos(float x, float *s, float *c) { hamel_sincos_of<false>(x, s, c); }

// a / b for numbers whose quotient is neither tiny nor huge: from 1/b to 20 digits of two
//   y <- y + y (e + e^2), e = 1 - b y;  q = a y, q <- q + y (a - b q)
// without the branches of the library. b = 0 gives what is not finite.
HAMEL_DEVICE double hamel_over(double a, double b) {
    const double y0 = HAMEL_ROUGH_RECIPROCAL(b), e = fma(-b, y0, 1.0), y = fma(fma(e, e, e), y0, y0),
                 q = a * y;
    return fma(fma(-b, q, a), y, q);
}
HAMEL_DEVICE float hamel_over(float a, float b) { return HAMEL_FLOAT_OVER(a, b); }
