// --- the values of runs ------------------------------------------------------------------------------

// Sums and products that are rounded one by one, so that a run has the same values wherever they are
// computed; a compiler for a GPU would make one operation of a * b + c.
#ifdef __CUDACC__
#ifdef __CUDA_ARCH__
#define HAMEL_PLAIN(a, sign, b, exact) exact(a, b)
#else
#define HAMEL_PLAIN(a, sign, b, exact) ((a)sign(b))
#endif
#define HAMEL_PLAIN_OPERATOR(sign, exact)                                                          \
    friend __host__ __device__ inline hamel_plain operator sign(hamel_plain a, hamel_plain b) {    \
        return HAMEL_PLAIN(a.v, sign, b.v, exact);                                                 \
    }                                                                                              \
    template <class T>                                                                             \
    friend __host__ __device__ inline hamel_plain operator sign(hamel_plain a, T b) {              \
        return HAMEL_PLAIN(a.v, sign, (double)b, exact);                                           \
    }                                                                                              \
    template <class T>                                                                             \
    friend __host__ __device__ inline hamel_plain operator sign(T a, hamel_plain b) {              \
        return HAMEL_PLAIN((double)a, sign, b.v, exact);                                           \
    }
struct hamel_plain {
    double v;
    __host__ __device__ hamel_plain() {}
    template <class T> __host__ __device__ hamel_plain(T x) : v((double)x) {}
    __host__ __device__ operator double() const { return v; }
    __host__ __device__ hamel_plain operator-() const { return -v; }
    __host__ __device__ void operator*=(double b) { *this = *this * b; }
    HAMEL_PLAIN_OPERATOR(+, __dadd_rn)
    HAMEL_PLAIN_OPERATOR(-, __dsub_rn)
    HAMEL_PLAIN_OPERATOR(*, __dmul_rn)
    HAMEL_PLAIN_OPERATOR(/, __ddiv_rn)
};
#define HAMEL_VALUES static __host__ __device__ inline
#define double hamel_plain
#else // a processor's compiler is told so: -ffp-contract=off
#define HAMEL_VALUES static inline __attribute__((unused))
#endif

