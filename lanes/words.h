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
static inline lanes moved_up(lanes x, int bits) {
    return _mm512_castsi512_pd(_mm512_slli_epi64(_mm512_castpd_si512(x), (unsigned)bits));
}
static inline mask sign_mask(lanes x) { return _mm512_movepi64_mask(_mm512_castpd_si512(x)); }
static inline lanes other_bits(lanes a, lanes b) { return _mm512_xor_pd(a, b); }
static inline lanes flip_where(lanes x, lanes negative) { // -x where the sign of the other is set
    return _mm512_xor_pd(x, _mm512_and_pd(negative, _mm512_set1_pd(-0.0)));
}
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
static inline lanes moved_up(lanes x, int bits) {
    return _mm256_castsi256_pd(_mm256_slli_epi64(_mm256_castpd_si256(x), bits));
}
static inline mask sign_mask(lanes x) { return x; } // select() sees the sign alone
static inline lanes other_bits(lanes a, lanes b) { return _mm256_xor_pd(a, b); }
static inline lanes flip_where(lanes x, lanes negative) { // -x where the sign of the other is set
    return _mm256_xor_pd(x, _mm256_and_pd(negative, _mm256_set1_pd(-0.0)));
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

// Where one is not a number: a
#if defined LANES_OF_PROCESSOR && HAMEL_WIDTH == 8
static inline lanes larger(lanes a, lanes b) { return _mm512_max_pd(b, a); }
static inline lanes smaller(lanes a, lanes b) { return _mm512_min_pd(b, a); }
#elif defined LANES_OF_PROCESSOR
static inline lanes larger(lanes a, lanes b) { return _mm256_max_pd(b, a); }
static inline lanes smaller(lanes a, lanes b) { return _mm256_min_pd(b, a); }
#else
static inline lanes larger(lanes a, lanes b) { return select(less(a, b), b, a); }
static inline lanes smaller(lanes a, lanes b) { return select(less(b, a), b, a); }
#endif
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
lanes SLEEF(sin)(lanes);
lanes SLEEF(cos)(lanes);
#define CALLED static __attribute__((noinline, cold))
CALLED circular lanes_both_far(lanes x) { return SLEEF(sincos)(x); }
CALLED lanes lanes_sin_far(lanes x) { return SLEEF(sin)(x); }
CALLED lanes lanes_cos_far(lanes x) { return SLEEF(cos)(x); }

// Sine and cosine where all |x| < 15, in SLEEF's operations and so with its bits; but without a
// call, whose registers would have to be kept. An integer n is found as n + 1.5 2^52, whose last
// bits are those of n.
#define WRITTEN_OUT static inline __attribute__((always_inline))
static const double INTEGER = 0x1.8p52;
WRITTEN_OUT int all_are_near(lanes x) {
    const mask near = less(lanes_fabs(x), lanes_all(15));
    return __builtin_expect(bits_of(near) == (1u << HAMEL_WIDTH) - 1, 1);
}

// x = n pi/2 + a + b, s = (a + b)^2: sin(a + b) = a + (a s) P(s) + b, cos(a + b) = 1 + s Q(s)
WRITTEN_OUT void lanes_both(lanes x, lanes *sine, lanes *cosine) {
    if (!all_are_near(x)) {
        const circular r = lanes_both_far(x);
        *sine = r.sine, *cosine = r.cosine;
        return;
    }
    const lanes one = lanes_all(1), integer = lanes_all(INTEGER),
                number = x * lanes_all(0x1.45f306dc9c883p-1) + integer, n = number - integer;
    const lanes high = lanes_fma(n, lanes_all(-0x1.921fb54442d18p+0), x),
                low = n * lanes_all(-0x1.1a62633145c07p-54), a = high + low, b = low + (high - a),
                ab = a * b, s = lanes_fma(a, a, ab + ab);
    lanes p = lanes_fma(s, lanes_all(0x1.5d82500becb6bp-33), lanes_all(-0x1.ae5e1e6f6f6d8p-26));
    p = lanes_fma(s, p, lanes_all(0x1.71de3503eae9cp-19));
    p = lanes_fma(s, p, lanes_all(-0x1.a01a019b64f6ap-13));
    p = lanes_fma(s, p, lanes_all(0x1.111111110f135p-7));
    p = (a * s) * lanes_fma(s, p, lanes_all(-0x1.5555555555542p-3));
    const lanes sum = a + p, with_rest = sum + (b + (p + (a - sum))),
                of_sine = select(equal(x, lanes_all(0)), x, with_rest); // sin(-0) = -0
    lanes q = lanes_fma(s, lanes_all(-0x1.8fbf9c1bdb8cep-37), lanes_all(0x1.1eea016409f05p-29));
    q = lanes_fma(s, q, lanes_all(-0x1.27e4f8130be9cp-22));
    q = lanes_fma(s, q, lanes_all(0x1.a01a019c8f025p-16));
    q = lanes_fma(s, q, lanes_all(-0x1.6c16c16c14c96p-10));
    q = lanes_fma(s, q, lanes_all(0x1.5555555555545p-5));
    q = lanes_fma(s, q, lanes_all(-0.5));
    const lanes less_one = s * q, rest = lanes_fma(q, s, -less_one), whole = one + less_one,
                of_cosine = whole + (rest + (less_one + (one - whole)));
    // Quarters of a turn: every other one changes sine and cosine; two of four change the sign
    const lanes odd = moved_up(number, 63), second = moved_up(number, 62);
    const mask changes = sign_mask(odd);
    *sine = flip_where(select(changes, of_cosine, of_sine), second);
    *cosine = flip_where(select(changes, of_sine, of_cosine), other_bits(second, odd));
}

// sin(a + b) = (a + b) (1 + s (s P(s) - 1/6)), s = (a + b)^2
WRITTEN_OUT lanes lanes_sine_of_sum(lanes a, lanes b) {
    const lanes s = a * a, s_rest = lanes_fma(b, a + a, lanes_fma(a, a, -s)), s2 = s * s;
    lanes p = lanes_fma(s, lanes_all(0x1.71de3a525fbedp-19), lanes_all(-0x1.a01a01a014225p-13)),
          q = lanes_fma(s, lanes_all(0x1.6123c74705f67p-33), lanes_all(-0x1.ae6454baa2959p-26)),
          r = lanes_fma(s, lanes_all(0x1.8811a03b2b11dp-49), lanes_all(-0x1.ae422bc319350p-41));
    p = lanes_fma(s2 * s2, r, lanes_fma(s2, q, p));
    p = s * lanes_fma(s, p, lanes_all(0x1.11111111110b9p-7));
    const lanes sixth = lanes_all(-0x1.5555555555555p-3), one = lanes_all(1), c = sixth + p,
                c_rest = p + (sixth - c), m = s * c,
                m_rest = lanes_fma(c, s_rest, lanes_fma(s, c_rest, lanes_fma(c, s, -m))),
                whole = one + m, rest = m_rest + (m + (one - whole));
    return lanes_fma(a, whole, lanes_fma(whole, b, a * rest));
}

// x = n pi + a + b
WRITTEN_OUT lanes lanes_sin(lanes x) {
    if (!all_are_near(x)) return lanes_sin_far(x);
    const lanes number = x * lanes_all(0x1.45f306dc9c883p-2) + lanes_all(INTEGER),
                n = number - lanes_all(INTEGER),
                high = lanes_fma(n, lanes_all(-0x1.921fb54442d18p+1), x),
                low = n * lanes_all(-0x1.1a62633145c07p-53), a = high + low, b = low + (high - a),
                r = flip_where(lanes_sine_of_sum(a, b), moved_up(number, 63));
    return select(equal(x, lanes_all(0)), x, r); // sin(-0) = -0
}

// x = (2 n + 1) pi/2 + a + b: cos(x) = -(-1)^n sin(a + b)
WRITTEN_OUT lanes lanes_cos(lanes x) {
    if (!all_are_near(x)) return lanes_cos_far(x);
    const lanes turns = lanes_fma(x, lanes_all(0x1.45f306dc9c883p-2), lanes_all(-0.5)),
                number = turns + lanes_all(INTEGER), n = number - lanes_all(INTEGER),
                odd = lanes_fma(n, lanes_all(2), lanes_all(1)),
                most = odd * lanes_all(-0x1.921fb54442d18p+0), high = most + x, part = high - x,
                rest = (x - (high - part)) + (most - part),
                low = odd * lanes_all(-0x1.1a62633145c07p-54), a = low + high,
                b = (low + (high - a)) + rest;
    return flip_where(-lanes_sine_of_sum(a, b), moved_up(number, 63));
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
#ifndef SLEEF
OF_ONE(sin)
OF_ONE(cos)
#endif
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
