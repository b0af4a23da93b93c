// What the files of this room share: the public context with the models in it, and the steps with
// which nearly every call begins and ends. A call reads a model (api_read_model), asks for its
// mechanics (api_mechanics), finds the forms that were named (api_find_form, api_read_forms) and
// derives them (api_derive), and hands its text to the caller (api_finish_text).
#ifndef HAMEL_API_API_INTERNAL_H
#define HAMEL_API_API_INTERNAL_H

#include "analyse/symmetry.h"
#include "api/call.h"
#include "equations/equations.h"
#include "hamel.h"
#include "parse/parse.h"
#include "print/format.h"

// The public context: the room's own fields behind the shared ones.
typedef struct {
    context base; // first: a hamel_context * is a pointer to it
    LIST(parse_override, overrides);
    LIST(model *, models);
} session;

static inline session *session_of(context *ctx) { return (session *)ctx; }

// What --set says, "a = 1, b = 2", in the arena.
const char *api_override_words(context *ctx);

// The bytes of a file ("-": of standard input), or a little more than the limit of a text
hamel_status api_read_file(context *ctx, const char *name, text *out);
// .. as a text of this name, in the arena; HAMEL_LIMIT, reported, where there are too many
hamel_status api_make_source(context *ctx, const char *name, const void *bytes, size_t size,
                             const source **result);

// Read a text as a model, with what --set says and then `more`, that wins.
hamel_status api_read_model(context *ctx, const source *text, uint32_t more_count,
                            const parse_override *more, model **out);

// The same model in another context that has none yet, with what --set said for it and then `more`:
// to that context --set has said all of it.
hamel_status api_copy_model(context *ctx, const model *of, uint32_t more_count,
                            const parse_override *more, model **out);

// What is said in the context of a copy (NULL: none was made) is said in that of the model.
hamel_status api_hand_over(const context *from, const model *copy, const model *like);

// The same model once more in its own context, with what --set says and then `more`, that wins.
hamel_status api_read_again(const model *of, uint32_t more_count, const parse_override *more,
                            model **out);

// The mechanics of a model at its initial state, made once.
hamel_status api_mechanics(model *m, const mechanics **out);

typedef struct {
    const struct formalism *form[64];
    uint32_t count;
    bool all;
} form_list;
// A form by its id; NULL after saying that there is none, with the nearest.
const struct formalism *api_find_form(context *ctx, const char *id);
// The form for code where nobody names one: the cheapest to run in the usual variables.
const struct formalism *api_cheapest_form(const mechanics *s);
// The equations by this form; HAMEL_MODEL after saying why, where it does not apply.
hamel_status api_derive(const struct formalism *f, const mechanics *s, equations **out);
// "all" or a list of ids separated by commas.
hamel_status api_read_forms(context *ctx, const char *ids, form_list *out);

// The format with this number, if it can write such a result; NULL after saying which can.
const format *api_find_format(context *ctx, hamel_format number, format_ability what);
// After an id that is not among a kind of hamel_known(): say what is known. HAMEL_USAGE.
hamel_status api_refuse_unknown(context *ctx, const char *kind, const char *noun, const char *id);

void api_write_expression(const model *m, expr e, text *out);
void api_write_warnings(const context *ctx, json *out); // the member "warnings" of a document
// " [m/s]" behind the value or the name of something; "": it has no unit
const char *api_unit_in_brackets(const model *m, expr symbol);
// the member "units" of a document, of the names that have one
void api_write_units(const model *m, json *out);
// the member "symmetries" of a document: names and generators; null where nothing was decided
void api_write_symmetries(const mechanics *s, const symmetries *all, json *out);
// A state written on the command line; NULL: none
hamel_status api_read_state(model *m, const char *at, completion_request *out);
// The same from another option, whose name stands in errors
hamel_status api_read_values(model *m, const char *option, const char *at, completion_request *out);
// HAMEL_USAGE, after saying so, where a model of the context was read from this file
hamel_status api_refuse_own(context *ctx, const char *file);
// The same of a file of rows, and of what is beside it while it is made
hamel_status api_refuse_own_rows(context *ctx, const char *file);
// The file with these bytes, whole or not at all; HAMEL_NUMERICS after saying why not.
hamel_status api_write_file(context *ctx, const char *file, const void *bytes, size_t size);
hamel_status api_finish_text(text *t, char **result); // hand the text to the caller
// Write a result and hand it to the caller.
hamel_status api_finish_result(const format *f, const printable *r, char **result);

#endif
