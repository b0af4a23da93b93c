// Names in LaTeX: theta[1]' is \dot{\theta}_{1}, p~[x] is \tilde{p}_{x}. Greek names become
// letters, indices go below and primes become dots; LaTeX output and, through MathML, pages use it
// for every symbol.
#ifndef HAMEL_BASE_LATEX_NAME_H
#define HAMEL_BASE_LATEX_NAME_H

#include "base/text.h"

#include <stdint.h>

void latex_name(const char *name, uint32_t primes, text *out);

#endif
