// What the targets share whose languages have no types: names of functions, bodies of a project's
// functions, lists of names and numbers. Each target puts these between texts of its own; how a
// tape becomes statements is in script.h.
#ifndef HAMEL_CODEGEN_SCRIPT_PROJECT_H
#define HAMEL_CODEGEN_SCRIPT_PROJECT_H

#include "codegen/script.h"
#include "codegen/target.h"

// How a function is called: "rhs", what solvers ask for, is the rate; else as in C
const char *script_project_name_of(const project *g, uint32_t which);
const project_function *script_project_find(const project *g, const char *id); // NULL: none
// "energy": of one entry, which needs no list around it
bool script_project_is_number(const project_function *f);
// Labels of the inputs of all tapes, as script_body_create() wants them; the caller frees the list.
const char **script_project_labels(const project *g);
// The body of a function
script_body script_project_body(const project *g, uint32_t which, const dialect *as,
                                script_part part, const char *const *label, const char *prefix);
// x = z[0], a = p[2] for each input that a body uses: \1 is the name, \2 the index; from z, from p
void script_project_unpack(const project *g, const script_body *b, const char *of_state,
                           const char *of_parameter, uint32_t first, text *out);
// "a, b, c" with quotes
void script_project_strings(uint32_t count, const char *const *item, text *out);
// a, b, c: numbers with a comma behind each, so many in a line that begins with `lead`
void script_project_numbers(uint32_t count, const double *value, uint32_t in_a_line,
                            const char *lead, text *out);
// A comment with the title, what has written it, and the equations
void script_project_heading(const project *g, const char *lead, const char *words, text *out);
// @ stands for the name of the project, $ for the end of the run
void script_project_template(const project *g, const char *words, text *out);

#endif
