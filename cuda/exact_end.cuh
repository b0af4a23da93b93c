#ifdef __CUDACC__
#undef double
typedef hamel_plain hamel_value;
#else
typedef double hamel_value;
#endif

