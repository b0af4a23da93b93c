// Vectors of HAMEL_WIDTH doubles, one for each lane, and masks: what the code of lanes is written
// in. For AVX-512 and AVX2 by the processor's own operations, elsewhere in plain C. A comparison
// with what is not a number is false.
#include <math.h>
#include <stdint.h>
#include <string.h>

#if HAMEL_WIDTH == 8 && defined __AVX512F__ && defined __AVX512DQ__
#include <immintrin.h>
typedef __m512d lanes;
typedef __mmask8 mask;
#define LANES_OF_PROCESSOR
static inline lanes lanes_all(double x) { return _mm512_set1_pd(x); }
static inline lanes lanes_fma(lanes a, lanes b, lanes c) { return _mm512_fmadd_pd(a, b, c); }
static inline lanes lanes_sqrt(lanes x) { return _mm512_sqrt_pd(x); }
static inline lanes lanes_fabs(lanes x) { return _mm512_abs_pd(x); }
static inline mask less(lanes a, lanes b) { return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ); }
static inline mask at_most(lanes a, lanes b) { return _mm512_cmp_pd_mask(a, b, _CMP_LE_OQ); }
static inline mask equal(lanes a, lanes b) { return _mm512_cmp_pd_mask(a, b, _CMP_EQ_OQ); }
static inline mask both(mask a, mask b) { return (mask)(a & b); }
static inline mask either(mask a, mask b) { return (mask)(a | b); }
static inline mask without(mask a, mask b) { return (mask)(a & ~b); }
static inline lanes select(mask m, lanes yes, lanes no) { return _mm512_mask_blend_pd(m, no, yes); }
static inline unsigned bits_of(mask m) { return m; }
static inline mask mask_of(unsigned bits) { return (mask)bits; }
#elif HAMEL_WIDTH == 4 && defined __AVX2__ && defined __FMA__
#include <immintrin.h>
typedef __m256d lanes;
typedef __m256d mask;
#define LANES_OF_PROCESSOR
static inline lanes lanes_all(double x) { return _mm256_set1_pd(x); }
static inline lanes lanes_fma(lanes a, lanes b, lanes c) { return _mm256_fmadd_pd(a, b, c); }
static inline lanes lanes_sqrt(lanes x) { return _mm256_sqrt_pd(x); }
static inline lanes lanes_fabs(lanes x) { return _mm256_andnot_pd(_mm256_set1_pd(-0.0), x); }
static inline mask less(lanes a, lanes b) { return _mm256_cmp_pd(a, b, _CMP_LT_OQ); }
static inline mask at_most(lanes a, lanes b) { return _mm256_cmp_pd(a, b, _CMP_LE_OQ); }
static inline mask equal(lanes a, lanes b) { return _mm256_cmp_pd(a, b, _CMP_EQ_OQ); }
static inline mask both(mask a, mask b) { return _mm256_and_pd(a, b); }
static inline mask either(mask a, mask b) { return _mm256_or_pd(a, b); }
static inline mask without(mask a, mask b) { return _mm256_andnot_pd(b, a); }
static inline lanes select(mask m, lanes yes, lanes no) { return _mm256_blendv_pd(no, yes, m); }
static inline unsigned bits_of(mask m) { return (unsigned)_mm256_movemask_pd(m); }
static inline mask mask_of(unsigned bits) {
    const __m256i one = _mm256_set_epi64x(8, 4, 2, 1);
    const __m256i seen = _mm256_and_si256(_mm256_set1_epi64x((long long)bits), one);
    return _mm256_castsi256_pd(_mm256_cmpeq_epi64(seen, one));
}
#else
typedef double lanes __attribute__((vector_size(8 * HAMEL_WIDTH)));
typedef __typeof__((lanes){0} < (lanes){0}) mask; // -1: yes
#define EACH for (int i = 0; i < HAMEL_WIDTH; i++)
static inline lanes lanes_all(double x) {
    lanes r;
    EACH r[i] = x;
    return r;
}
static inline lanes lanes_fma(lanes a, lanes b, lanes c) {
#if HAMEL_FUSED
    EACH c[i] = __builtin_fma(a[i], b[i], c[i]);
    return c;
#else
    return c + a * b;
#endif
}
static inline lanes lanes_sqrt(lanes x) {
    EACH x[i] = sqrt(x[i]);
    return x;
}
static inline lanes lanes_fabs(lanes x) {
    EACH x[i] = fabs(x[i]);
    return x;
}
static inline mask less(lanes a, lanes b) { return a < b; }
static inline mask at_most(lanes a, lanes b) { return a <= b; }
static inline mask equal(lanes a, lanes b) { return a == b; }
static inline mask both(mask a, mask b) { return a & b; }
static inline mask either(mask a, mask b) { return a | b; }
static inline mask without(mask a, mask b) { return a & ~b; }
static inline lanes select(mask m, lanes yes, lanes no) {
    EACH no[i] = m[i] ? yes[i] : no[i];
    return no;
}
static inline unsigned bits_of(mask m) {
    unsigned bits = 0;
    EACH bits |= (unsigned)(m[i] & 1) << i;
    return bits;
}
static inline mask mask_of(unsigned bits) {
    mask m;
    EACH m[i] = -(int)(bits >> i & 1);
    return m;
}
#endif

static inline lanes larger(lanes a, lanes b) { return select(less(a, b), b, a); }
static inline lanes smaller(lanes a, lanes b) { return select(less(b, a), b, a); }
static inline mask finite_lanes(lanes x) { return less(lanes_fabs(x), lanes_all(HUGE_VAL)); }
static inline lanes lanes_sign(lanes x) {
    const lanes zero = lanes_all(0), one = lanes_all(1);
    return select(less(zero, x), one, select(less(x, zero), -one, zero));
}

// One lane of a vector in memory
static inline void put(lanes *at, unsigned lane, double x) {
    memcpy((char *)at + sizeof(double) * lane, &x, sizeof x);
}
static inline double get(const lanes *at, unsigned lane) {
    double x;
    memcpy(&x, (const char *)at + sizeof(double) * lane, sizeof x);
    return x;
}

// --- elementary functions ------------------------------------------------------------------------

#if defined HAMEL_SLEEF && defined LANES_OF_PROCESSOR
// SLEEF's to 1 ulp, which give the same bits on every processor with fused products
#if HAMEL_WIDTH == 8
#define SLEEF(name) Sleef_finz_##name##d8_u10avx512f
#else
#define SLEEF(name) Sleef_finz_##name##d4_u10avx2
#endif
typedef struct {
    lanes sine, cosine;
} circular;
circular SLEEF(sincos)(lanes);
static inline void lanes_both(lanes x, lanes *sine, lanes *cosine) {
    const circular r = SLEEF(sincos)(x);
    *sine = r.sine, *cosine = r.cosine;
}
#define OF_ONE(name)                                                                               \
    lanes SLEEF(name)(lanes);                                                                      \
    static inline lanes lanes_##name(lanes x) { return SLEEF(name)(x); }
#define OF_TWO(name)                                                                               \
    lanes SLEEF(name)(lanes, lanes);                                                               \
    static inline lanes lanes_##name(lanes x, lanes y) { return SLEEF(name)(x, y); }
#else
// The C library's, one lane after the other: the bits of the scalar code
#ifdef __GLIBC__
void sincos(double x, double *sine, double *cosine);
#else
static void sincos(double x, double *sine, double *cosine) { *sine = sin(x), *cosine = cos(x); }
#endif
static void lanes_both(lanes x, lanes *sine, lanes *cosine) {
    double v[HAMEL_WIDTH], s[HAMEL_WIDTH], c[HAMEL_WIDTH];
    memcpy(v, &x, sizeof x);
    for (int i = 0; i < HAMEL_WIDTH; i++) sincos(v[i], &s[i], &c[i]);
    memcpy(sine, s, sizeof s), memcpy(cosine, c, sizeof c);
}
#define OF_ONE(name)                                                                               \
    static inline lanes lanes_##name(lanes x) {                                                    \
        double v[HAMEL_WIDTH];                                                                     \
        memcpy(v, &x, sizeof v);                                                                   \
        for (int i = 0; i < HAMEL_WIDTH; i++) v[i] = name(v[i]);                                   \
        memcpy(&x, v, sizeof v);                                                                   \
        return x;                                                                                  \
    }
#define OF_TWO(name)                                                                               \
    static inline lanes lanes_##name(lanes x, lanes y) {                                           \
        double v[HAMEL_WIDTH], u[HAMEL_WIDTH];                                                     \
        memcpy(v, &x, sizeof v), memcpy(u, &y, sizeof u);                                          \
        for (int i = 0; i < HAMEL_WIDTH; i++) v[i] = name(v[i], u[i]);                             \
        memcpy(&x, v, sizeof v);                                                                   \
        return x;                                                                                  \
    }
#endif
OF_ONE(sin)
OF_ONE(cos)
OF_ONE(tan)
OF_ONE(asin)
OF_ONE(acos)
OF_ONE(atan)
OF_ONE(sinh)
OF_ONE(cosh)
OF_ONE(tanh)
OF_ONE(exp)
OF_ONE(log)
OF_TWO(pow)
OF_TWO(atan2)
