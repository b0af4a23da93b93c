// The discrete Fourier transform of any number of values in O(n log n). fourier_transform() works
// in place on real and imaginary parts; nothing is normalised:
//     X_k = sum_j x_j exp(-2 pi i j k/n).
// Lengths that are no power of two go through a convolution of one that is (Bluestein 1970).
#ifndef HAMEL_REPORT_FOURIER_H
#define HAMEL_REPORT_FOURIER_H

#include <stdint.h>

void fourier_transform(uint64_t n, double *re, double *im);

#endif
