// Contacts, resets and clocks of a model one by one, as `check` and `describe` list them. In JSON
// these are the members "contacts" and "resets" of a document, empty where the model has none.
#ifndef HAMEL_API_CONTACT_LIST_H
#define HAMEL_API_CONTACT_LIST_H

#include "model/model.h"
#include "print/json.h"

// `formulas`: gap, place, normal, directions of slip and forces too
void contact_list_json(const model *m, bool formulas, json *out);
void contact_list_text(const model *m, text *out);

#endif
