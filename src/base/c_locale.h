// The C locale for this thread, for as long as something is done that heeds a locale: printf() and
// strtod() write and read a comma where the program that uses the library is German. Nothing here
// changes the locale of the program, takes memory or can fail.
//     const locale_t before = c_locale_enter();  ...  c_locale_leave(before);
#ifndef HAMEL_BASE_C_LOCALE_H
#define HAMEL_BASE_C_LOCALE_H

#include <locale.h>

static inline locale_t c_locale_enter(void) {
    return uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0)); // a constant of the C library
}

static inline void c_locale_leave(locale_t before) { uselocale(before); }

#endif
