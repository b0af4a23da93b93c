// The system's C compiler, and nvcc: found, told apart from others, run. module.c hands it a text
// and gets a shared object; the compiler is $CC or cc, and without one runs are interpreted.
#ifndef HAMEL_EXECUTE_COMPILER_H
#define HAMEL_EXECUTE_COMPILER_H

#include "base/context.h"

typedef struct {
    uint32_t word_count;
    const char **word; // $CC cut at blanks, else "cc"; behind them the flags
    const char *path;  // of the program
    // What results depend on besides the source: program, its size and
    // time, words and flags, machine
    const char *identity;
} compiler;

// False if there is none; `out->word[0]` is then what was looked for.
bool compiler_find(arena *a, compiler *out);

// The same for code that leaves this machine: nothing that only some processors have.
bool compiler_find_portable(arena *a, compiler *out);

// nvcc: $NVCC cut at blanks, else "nvcc"; its code is for the GPU of this machine.
bool compiler_find_cuda(arena *a, compiler *out);

typedef enum { COMPILER_DONE, COMPILER_FAILED, COMPILER_KILLED } compiler_outcome;

// Compiles one file to a loadable module. Runs no shell. `libraries` are options like "-lm", apart
// by blanks. What it said is in `messages`.
compiler_outcome compiler_run(arena *a, const compiler *c, const char *source_file,
                              const char *libraries, const char *module_file,
                              const char **messages);

#endif
