// SHA-256 (FIPS 180-4): names for contents. Compiled code is kept under the hash of its text, and
// the seed of a proof is made of that of the model. Begin, add bytes, end.
#ifndef HAMEL_BASE_SHA256_H
#define HAMEL_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_BYTES = 32, SHA256_HEX = 2 * SHA256_BYTES + 1 };

typedef struct {
    uint32_t state[8];
    uint64_t length; // bytes taken in so far
    uint8_t block[64];
} sha256;

void sha256_begin(sha256 *h);
void sha256_add(sha256 *h, const void *bytes, size_t length);
void sha256_end(sha256 *h, uint8_t digest[SHA256_BYTES]);
void sha256_hex(const uint8_t digest[SHA256_BYTES], char out[SHA256_HEX]);

#endif
