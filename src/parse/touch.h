// Where a body touches a surface: `B as SHAPE [at V] on SUPPORT`, the part that `roll` and `touch`
// share, and that any statement about a contact can read.
//
// touch_parse() reads it; touch_text() writes statements of the language that define, for a contact
// called c, the vectors c_point (in space, on the body), c_normal (a unit vector from the support
// to the body), c_tangent and c_across (with the normal a right-handed frame) and the scalar c_gap
// (the distance, negative inside); both evaluators then know them as they know any `let`. What the
// author wrote (radii, axes ..) is declared by the statement itself under names such as c_radius,
// so that an error in it points at the author's line.
#ifndef HAMEL_PARSE_TOUCH_H
#define HAMEL_PARSE_TOUCH_H

#include "parse/elaborate.h"

typedef enum { SHAPE_BALL, SHAPE_DISC, SHAPE_ELLIPSOID, SHAPE_TORUS } shape_kind;
typedef enum { SUPPORT_PLANE, SUPPORT_SPHERE, SUPPORT_CYLINDER, SUPPORT_SURFACE } support_kind;

typedef struct {
    const char *name, *index; // "c" and "", or "c" and "[i]"
    const char *body;         // "ball[i]", as it was written
    shape_kind shape;
    support_kind support;
    bool inside;
    bool holds;          // the statement makes the distance 0: formulas may use that
    bool normal_is_x;    // of a plane: its normal is written as (E, 0, 0)
    const char *foot[3]; // of a surface: the coordinates of its point, as they were written
    // which of the optional clauses were written
    bool has_offset, has_axis, has_through, has_up, has_around, has_line, has_along, has_moving;
} touch_words;

// touch = [ label ":" ] label "as" shape [ "at" V ] "on" support [ "moving" V ] [ "along" V ]
// The items of the statement are what the author wrote; `usual` is the name of one without a label.
bool touch_parse(parser *ps, statement *st, const char *usual, touch_words *out);
// The definitions, one statement a line, in the arena.
const char *touch_text(arena *a, const touch_words *w);
// Puts the statements of a text in the place of this one, which stays behind them.
void touch_replace(parser *ps, statement *st, const char *text);
// What one of the items means, checked: for the descriptors of statements that hold a touch.
value touch_define(elaborator *el, const entry *e);
// Reports sizes that cannot be, and lists the contact in the model.
void touch_read(elaborator *el, const instance *in);

#endif
