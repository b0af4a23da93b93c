// --- Taylor's method ---------------------------------------------------------------------------------

#if HAMEL_SERIES
// Order and step follow from the tolerance (Jorba and Zou 2005): each attempt finds the series where
// the run stands, and a step is kept where its polynomial ends with the slope that the equations
// have there.
struct hamel_taylor {
    enum { threads = 128, blocks = 1, degrees = HAMEL_MOST_DEGREE + 1 };
    real s[HAMEL_MOST_DEGREE + 1][hamel_n];
    float growth, part; // see propose(); of the step that is tried

    HAMEL_DEVICE int order_of(const hamel_job *job) { return job->order; }
    __device__ __forceinline__ void begin(real, const real *, const real *, const real *) {
        growth = INFINITY, part = 1;
    }
    // log2 of the largest coefficient k: relative where a component is large, else absolute
    __device__ float size_of(int k) const {
        real most = 0;
        for (int i = 0; i < hamel_n; i++) {
            const real z = fabs(s[0][i]), a = fabs(s[k][i]), size = z > 1 ? a / z : a;
            if (size > most || isnan(size)) most = size;
        }
        return (float)log2(most);
    }
    // The radius from the last two coefficients; where it is suddenly larger than a step before, those
    // may vanish by a symmetry, and some before them are asked too.
    __device__ __forceinline__ void propose(const hamel_job *job, real t, const real *z,
                                            const real *p, const real *c, real *h) {
        enum { LOOK_BACK = 6 };
        const float SUDDEN = 0.577f, last = (float)job->order; // log2(1.5)
        if (!(*h > 0) && part >= 1) return; // there is no slope at the start
        hamel_series(t, z, p, c + hamel_series_at, job->order, s);
        float now = hamel_most(size_of(job->order - 1) / (last - 1), size_of(job->order) / last);
        if (now < growth - SUDDEN) {
            float before = -INFINITY;
            for (int k = job->order > LOOK_BACK + 1 ? job->order - LOOK_BACK : 2; k + 2 <= job->order;
                 k++)
                before = hamel_most(before, size_of(k) / (float)k);
            if (now < before - SUDDEN) now = before;
        }
        growth = now;
        *h = R(HAMEL_EXP2((float)job->reach - now) * part);
        if (isinf(*h)) *h = (real)job->end; // all of it: nothing changes
    }
    __device__ __forceinline__ float attempt(const hamel_job *job, real t, const real *,
                                             const real *p, const real *c, real h, real *z1) {
        real slope[hamel_n], f1[hamel_n];
        const float rounding = sizeof(real) == 8 ? 1e-14f : 4e-6f,
                    defect = 2 * (float)job->order * (float)job->tolerance,
                    allowed = defect > rounding ? defect : rounding;
        for (int i = 0; i < hamel_n; i++) {
            real sum = s[job->order][i], change = 0;
            HAMEL_ROLLED for (int k = job->order - 1; k >= 1; k--)
                change = fma(change, h, sum), sum = fma(sum, h, s[k][i]);
            z1[i] = fma(sum, h, s[0][i]), slope[i] = fma(change, h, sum);
        }
        hamel_far_rate(t + h, z1, p, c, f1);
        float worst = 0;
        for (int i = 0; i < hamel_n; i++) {
            const float gap = (float)(h * fabs(slope[i] - f1[i])),
                        most = allowed * (1 + (float)(fabs(z1[i]) + h * (fabs(f1[i]) + fabs(s[1][i]))));
            if (!(gap <= most)) worst = hamel_most(worst, isfinite(gap) && isfinite(most) ? 2.0f
                                                                                          : INFINITY);
        }
        return worst;
    }
    __device__ __forceinline__ float after_rejection(float size) {
        part *= size < 1e30f ? 0.5f : 0.25f;
        return 1;
    }
    __device__ __forceinline__ float after_success(float) {
        part = 1;
        return 1;
    }
    __device__ __forceinline__ int curve(const hamel_job *job, real, const real *, const real *,
                                         const real *, real h, const real *, real (*q)[hamel_n]) {
        real power = 1;
        for (int k = 0; k <= job->order; k++, power *= h)
            for (int i = 0; i < hamel_n; i++) q[k][i] = s[k][i] * power;
        return job->order;
    }
};
#endif

