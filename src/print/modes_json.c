// Modes of contacts, and resets, in JSON.
#include "print/modes_json.h"

void print_modes_json(const model *m, json *out) {
    if (m->contacts_count) json_open(out, "modes", '{');
    for (uint32_t i = 0; i < m->contacts_count; i++)
        json_string(out, m->contacts[i].name, contact_mode_name(m->contacts[i].mode));
    if (m->contacts_count) json_close(out, '}');
    if (m->resets_count) json_open(out, "resets", '[');
    for (uint32_t i = 0; i < m->resets_count; i++)
        json_string(out, NULL, reset_words(m, &m->resets[i]));
    if (m->resets_count) json_close(out, ']');
}
