// Is this a build under AddressSanitizer? gcc says so by a macro, clang by a feature; after this
// header both do by HAMEL_ASAN. Memory that a file keeps for later, or hands out piece by piece, is
// treated differently there, so that the sanitizer sees every object live and die.
#ifndef HAMEL_BASE_SANITIZER_H
#define HAMEL_BASE_SANITIZER_H

#ifdef __SANITIZE_ADDRESS__
#define HAMEL_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAMEL_ASAN 1
#endif
#endif

#endif
