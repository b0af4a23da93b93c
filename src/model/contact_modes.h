// The modes in which the contacts of a model were read, in words. A model with contacts, resets or
// clocks has equations in each mode and between two resets only: whatever speaks of equations
// writes model_modes_write() beside them, so that nobody takes them for the whole motion.
#ifndef HAMEL_MODEL_CONTACT_MODES_H
#define HAMEL_MODEL_CONTACT_MODES_H

#include "model/model.h"

const char *contact_mode_name(contact_mode mode); // "free", "sliding", "sliding-", "sticking", ..
// Without friction it does not stick, the two ways along a line are told apart only there, and it
// rests beside others only.
bool contact_has_mode(const model *m, const contact *c, contact_mode mode);
// "sliding|sticking": those that it has, without `except` (MODE_COUNT: all); in the arena
const char *contact_mode_list(const model *m, const contact *c, contact_mode except);

// Does a motion of the model consist of pieces? Not where the modes of its contacts are stated.
bool model_is_in_pieces(const model *m);

bool reset_is_clock(const reset *r);
// "bounce", or "every 0.1"; in the arena
const char *reset_words(const model *m, const reset *r);

// The value at the start of an input that resets set and that is held between them; EXPR_NONE: none
bool model_input_is_held(const model *m, const given_function *g);
expr model_input_held_from(const model *m, const given_function *g);
// What a value of a reset is given to: "x'", "k", or the input that is held: "u"
const char *reset_target_name(const model *m, expr symbol);

// "floor: free; --set mode[floor]=sliding|sticking names another" and "resets: bounce, every 0.1;
// .." with `before` and `after` around each line; nothing where there are none.
void model_modes_write(const model *m, const char *before, const char *after, text *out);

// `help` and, where there are contacts, the modes in which nothing was found; in the arena
const char *model_modes_help(const model *m, const char *help);

#endif
