// --- a Runge-Kutta pair ------------------------------------------------------------------------------

// An attempt whose result is not a number, once more with sines and cosines of all angles. Everything
// is copied into memory for it, so that the attempts beside it keep theirs in registers.
template <class PAIR> struct hamel_attempt {
    real t, h, z[hamel_n], p[HAMEL_SOME(hamel_np)], c[HAMEL_SOME(hamel_nc)];
    real k[PAIR::stages][hamel_n], z1[hamel_n];
    float allowed, size;
};
template <class PAIR> static HAMEL_FAR void hamel_attempt_again(hamel_attempt<PAIR> *a) {
    a->size = PAIR::template attempt<false>(a->t, a->z, a->p, a->c, a->h, a->allowed, a->k, a->z1);
}

// PAIR says what a step is: attempt(), and the polynomials of it that events are looked for on.
template <class PAIR> struct hamel_pair {
    enum { threads = PAIR::threads, blocks = PAIR::blocks, degrees = PAIR::degree + 1 };
    real k[PAIR::stages][hamel_n]; // the slopes of the last attempt, the first at its start
    hamel_pace pace;

    __device__ __forceinline__ hamel_pair() {
        pace.log_before = 0, pace.rejected = false;
    }
    HAMEL_DEVICE int order_of(const hamel_job *) { return PAIR::order; }
    __device__ __forceinline__ void begin(real t, const real *z, const real *p, const real *c) {
        pace.log_before = -13.2877124f, pace.rejected = false;
        if (PAIR::needs_last) hamel_rate(t, z, p, c, k[0]);
    }
    __device__ __forceinline__ void propose(const hamel_job *, real, const real *, const real *,
                                            const real *, real *) {}
    __device__ __forceinline__ float attempt(const hamel_job *job, real t, const real *z,
                                             const real *p, const real *c, real h, real *z1) {
        const float allowed = HAMEL_FLOAT_OVER(1.0f, (float)job->tolerance),
                    size = PAIR::template attempt<HAMEL_HAS_NEAR>(t, z, p, c, h, allowed, k, z1);
        if (!HAMEL_HAS_NEAR || size < 1e30f) return size;
        hamel_attempt<PAIR> again;
        again.t = t, again.h = h, again.allowed = allowed;
        HAMEL_UNROLL for (int i = 0; i < hamel_np; i++) again.p[i] = p[i];
        HAMEL_UNROLL for (int i = 0; i < hamel_nc; i++) again.c[i] = c[i];
        HAMEL_UNROLL for (int i = 0; i < hamel_n; i++) again.z[i] = z[i], again.k[0][i] = k[0][i];
        hamel_attempt_again(&again);
        HAMEL_UNROLL for (int s = 0; s < PAIR::stages; s++)
            HAMEL_UNROLL for (int i = 0; i < hamel_n; i++) k[s][i] = again.k[s][i];
        HAMEL_UNROLL for (int i = 0; i < hamel_n; i++) z1[i] = again.z1[i];
        return again.size;
    }
    __device__ __forceinline__ float after_rejection(float size) {
        return hamel_after_rejection(&pace, size, PAIR::error_order);
    }
    // The last slope of a step that was accepted is the first of the next one.
    __device__ __forceinline__ float after_success(float size) {
        if (PAIR::needs_last)
            HAMEL_UNROLL for (int i = 0; i < hamel_n; i++) k[0][i] = k[PAIR::last][i];
        return hamel_after_success(&pace, size, PAIR::error_order);
    }
    __device__ __forceinline__ int curve(const hamel_job *, real t, const real *z, const real *p,
                                         const real *c, real h, const real *z1,
                                         real (*q)[hamel_n]) {
        if (!PAIR::needs_last) hamel_rate(t + h, z1, p, c, k[PAIR::last]);
        PAIR::curve(t, z, p, c, h, k, q);
        return PAIR::degree;
    }
};

