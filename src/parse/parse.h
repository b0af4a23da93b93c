// From text to model. One call reads a model with all that it includes; two more read what stands
// on the command line. Errors go to the context, as many as can be found at once.
#ifndef HAMEL_PARSE_PARSE_H
#define HAMEL_PARSE_PARSE_H

#include "model/model.h"

typedef struct { // --set name=value; the value is a constant expression
    const char *name;
    const char *value;
} parse_override;

// Reads, checks and elaborates a model. Reports every error it can find in one pass to ctx; returns
// context_status(ctx). *out is NULL unless that is HAMEL_OK. The text must live as long as the
// context.
hamel_status parse_model(context *ctx, pool *p, const source *text, uint32_t overrides,
                         const parse_override *override, model **out);
// Once more the model that `like` was read from, whatever has become of its files
hamel_status parse_model_again(context *ctx, pool *p, const model *like, uint32_t overrides,
                               const parse_override *override, model **out);

// One list as in `initial`, with inputs too: "t=0, x=1, x'=2, lambda[c1]=0, u=2"; the items lie in
// the arena of the model's context.
hamel_status parse_assignments(model *m, const source *text, assignment **items, uint32_t *count);

// An expression of the state and the time, as in `event`; reported in the context where it is none.
hamel_status parse_scalar(model *m, const source *text, expr *out);

// Texts of options in the place of statements about sweeps; NULL, 0: not given
typedef struct {
    uint32_t vary_count, collect_count;
    const char *const *vary;    // as behind `sweep`: "v = 0.5 .. 3 count 200"
    const char *const *collect; // as behind `collect`: "top = max(th), end = final(x)"
    const char *samples, *seed; // as behind `samples` and `seed`: "1000 sobol", "7"
} sweep_texts;

typedef struct { // lists of the arena, or of the model
    uint32_t varied_count, collected_count;
    const varying *varied;
    const collected *collected;
    sampling samples; // its count is 0 where none is stated
} sweep_parts;

// What is to be swept: what the model states, or what is given in its place. Any --vary takes the
// place of all `sweep`, any --collect that of all `collect`; --samples and --seed change what they
// name. Errors point into the texts.
hamel_status parse_sweep(model *m, const sweep_texts *given, sweep_parts *out);

// Is there a coordinate, a parameter, a `let` .. of this name?
bool parse_knows(const model *m, const char *name);
// The value of a `const` of the model; false if it has none of this name.
bool parse_constant(const model *m, const char *name, int64_t *value);

#endif
