// What the statements of sweeps hold: a `sweep`, a `samples` and an item of `collect`, read one by
// one into what the model keeps. The statements of a model and the texts of options go through them
// alike; whatever is wrong is reported with its place.
#ifndef HAMEL_PARSE_SWEEP_PARTS_H
#define HAMEL_PARSE_SWEEP_PARTS_H

#include "parse/elaborate.h"

// The next part of a `sweep` that begins with this item, behind `*next`; false: reported
bool elab_read_varied(elaborator *el, const item **next, const binding *b, varying *out);
bool elab_read_samples(elaborator *el, const statement *st, const binding *b, sampling *out);
bool elab_read_collected(elaborator *el, const item *it, const binding *b, collected *out);
// The number that a seed is; false: reported
bool elab_read_seed(elaborator *el, const syntax *node, const binding *b, uint64_t *out);
bool elab_is_of_event(const item *it); // first(..), count(..)
// Its place among the events of the model; UINT32_MAX: there is none
uint32_t elab_event_called(const model *m, const char *name);

#endif
