// The modes of contacts, and resets, as members of a JSON document: "modes" {"floor": "free"} and
// "resets" ["bounce", "every 0.1"], each where the model has some. Every document about equations
// holds them, as its text has the lines of model_modes_write().
#ifndef HAMEL_PRINT_MODES_JSON_H
#define HAMEL_PRINT_MODES_JSON_H

#include "model/contact_modes.h"
#include "print/json.h"

void print_modes_json(const model *m, json *out);

#endif
