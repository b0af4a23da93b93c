// What settling contacts is made of, between pieces_contacts.c and pieces_impacts.c.
//
// The first looks which contacts are closed, and gives each a mode for the next piece; between the
// two, the other takes impacts and ends bounces. Both look at the state by pieces_look(), and count
// speeds and gaps as 0 by the same measure.
#ifndef HAMEL_API_PIECES_SETTLE_H
#define HAMEL_API_PIECES_SETTLE_H

#include "api/pieces.h"

// The numbers of all contacts where the motion is; false after setting w->failure.
bool pieces_look(pieces *w);
double pieces_no_gap(const pieces *w); // gaps and speeds at contact i that count as 0
double pieces_no_speed(const pieces *w, uint32_t i);
void pieces_allow_all(const pieces *w, uint32_t i, contact_state *x); // modes that it can have

// v_n+ = -e v_n- for those that approach; again where that lets others approach
bool pieces_take_impacts(pieces *w);
// The last bounce begins: of those that were just hit, before others are asked what they do; and of
// those that lie on others, with what these do.
void pieces_end_bounces(pieces *w);
void pieces_end_bounces_on_others(pieces *w);
// After its last bounce a contact is closed, without the speed that is left.
bool pieces_close_bounced(pieces *w);

#endif
