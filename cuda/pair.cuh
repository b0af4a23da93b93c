// --- a Runge-Kutta pair ------------------------------------------------------------------------------

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
        return PAIR::attempt(t, z, p, c, h, HAMEL_FLOAT_OVER(1.0f, (float)job->tolerance), k, z1);
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

