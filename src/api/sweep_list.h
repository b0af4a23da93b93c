// What a model states of sweeps, line by line, as `check` and `describe` list it. In JSON these are
// the members "sweep", "samples" and "collect" of a document; a model without such statements has
// none of them.
#ifndef HAMEL_API_SWEEP_LIST_H
#define HAMEL_API_SWEEP_LIST_H

#include "model/model.h"
#include "print/json.h"

void sweep_list_json(const model *m, json *out);
void sweep_list_text(const model *m, int width, text *out); // of the words in front

#endif
