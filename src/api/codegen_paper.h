// What a paper says of a system: expressions printed for the target `latex`. The room of targets
// does not see printers, so everything a paper needs is handed over as pieces of LaTeX.
#ifndef HAMEL_API_CODEGEN_PAPER_H
#define HAMEL_API_CODEGEN_PAPER_H

#include "codegen/paper.h"
#include "derive/formalism.h"

typedef struct {
    const model *m;
    const mechanics *system;
    const formalism *form;
    const equations *eq;
    uint32_t input_count;
    const expr *input, *stated;
} paper_request;

// In the arena of the model's context.
const paper *codegen_paper(const paper_request *of);

#endif
