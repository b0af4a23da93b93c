// C text as running code: compiled by the system's compiler, kept in the cache, loaded. Load C
// text, ask for symbols, free it; the text is compiled unless the cache has it.
#ifndef HAMEL_EXECUTE_MODULE_H
#define HAMEL_EXECUTE_MODULE_H

#include "base/context.h"

typedef struct module module;

// The functions of a C text that are not static. `libraries`: what it is linked with, "-lm". NULL:
// `error` says why; what the compiler said stands in it.
module *module_load(context *ctx, const char *source, const char *libraries, const char **error);
// The functions of a CUDA text that are extern "C", compiled by nvcc
module *module_load_cuda(context *ctx, const char *source, const char **error);
// The first if it is in the cache already; compiles nothing.
module *module_find(context *ctx, const char *source, const char *libraries);

typedef void (*module_function)(void);
// NULL: there is none of that name
module_function module_symbol(const module *m, const char *name);
// The code is not what it should be: it leaves the cache too.
void module_discard(module *m);
// its functions are gone afterwards
void module_free(module *m);

#endif
