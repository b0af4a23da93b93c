// Names in LaTeX: theta[1]' is \dot{\theta}_{1}, p~[x] is \tilde{p}_{x}.
#ifndef HAMEL_BASE_LATEX_NAME_H
#define HAMEL_BASE_LATEX_NAME_H

#include "base/text.h"

#include <stdint.h>

void latex_name(const char *name, uint32_t primes, text *out);

#endif
