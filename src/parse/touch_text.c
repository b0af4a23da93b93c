// The geometry of a contact as statements of the language (docs/rolling.md has the derivations).
//
// With the unit normal n of the support, the outward normal of the body at the contact is -n, and
// the point of the body with that normal follows from its shape alone: c_arm, from its centre. So
// the contact is at centre + arm, and its distance from a plane through P is n.(centre + arm - P).
#include "parse/touch.h"

#include "base/text.h"

// Appends a line in which @ stands for the name of the contact and an underscore, # for its index,
// and $ for the body: "let @point# = .." is "let c_point[i] = ..".
static void line(text *out, const touch_words *w, const char *pattern) {
    for (const char *c = pattern; *c; c++) {
        if (*c == '@') text_format(out, "%s_", w->name);
        else if (*c == '#') text_append(out, w->index);
        else if (*c == '$') text_append(out, w->body);
        else text_char(out, *c);
    }
    text_char(out, '\n');
}

// --- the normal ----------------------------------------------------------------------------------

// From the centre of a sphere or the axis of a cylinder to the centre of the ball. Where the ball
// rolls its length is known, the sum of the radii or their difference: no root is needed then.
// Of a cylinder: what is left of the way from its axis to the centre, across the axis.
static void write_reach(text *out, const touch_words *w) {
    const bool round = w->support == SUPPORT_SPHERE;
    const char *whole = round ? "reach" : "away";
    text_format(out, "let %s_%s%s = ", w->name, whole, w->index);
    line(out, w, w->has_around ? "@centre# - @around#" : "@centre#");
    if (!round) {
        line(out, w, w->has_line ? "let @axle# = @line#/norm(@line#)" : "let @axle# = (0, 0, 1)");
        line(out, w, "let @reach# = @away# - dot(@away#, @axle#)*@axle#");
    }
    line(out, w,
         !w->holds   ? "let @distance# = norm(@reach#)"
         : w->inside ? "let @distance# = @size# - @radius#"
                     : "let @distance# = @size# + @radius#");
}

static void write_normal(text *out, const touch_words *w) {
    switch (w->support) {
    case SUPPORT_PLANE:
        line(out, w, w->has_up ? "let @normal# = @up#/norm(@up#)" : "let @normal# = (0, 0, 1)");
        break;
    case SUPPORT_SPHERE:
    case SUPPORT_CYLINDER:
        write_reach(out, w);
        line(out, w,
             w->inside ? "let @normal# = -@reach#/@distance#"
                       : "let @normal# = @reach#/@distance#");
        break;
    case SUPPORT_SURFACE:
        text_format(out, "let %s_foot%s = (%s, %s, %s)\n", w->name, w->index, w->foot[0],
                    w->foot[1], w->foot[2]);
        text_format(out,
                    "let %s_slope%s = (diff(%s_surface%s, %s), diff(%s_surface%s, %s), "
                    "diff(%s_surface%s, %s))\n",
                    w->name, w->index, w->name, w->index, w->foot[0], w->name, w->index, w->foot[1],
                    w->name, w->index, w->foot[2]);
        line(out, w, "let @normal# = @slope#/norm(@slope#)");
        break;
    }
}

// --- the shape: its point with the outward normal -n, and n.(centre - point) ---------------------

// The rim of a disc: perpendicular to its axis k, in the plane of k and n, so along k x (n x k).
static void write_rim(text *out, const touch_words *w) {
    line(out, w,
         w->has_axis ? "let @axle# = frame($)*(@axis#/norm(@axis#))"
                     : "let @axle# = frame($)*(0, 0, 1)");
    line(out, w, "let @level# = cross(@normal#, @axle#)");
    line(out, w, "let @steepness# = norm(@level#)");
    line(out, w, "let @rim# = -@radius#/@steepness#*cross(@axle#, @level#)");
}

static void write_shape(text *out, const touch_words *w) {
    switch (w->shape) {
    case SHAPE_BALL:
        line(out, w, "let @arm# = -@radius#*@normal#");
        line(out, w, "let @height# = @radius#");
        break;
    case SHAPE_DISC:
        write_rim(out, w);
        line(out, w, "let @arm# = @rim#");
        line(out, w, "let @height# = @radius#*@steepness#");
        break;
    case SHAPE_TORUS:
        write_rim(out, w);
        line(out, w, "let @arm# = @rim# - @tube#*@normal#");
        line(out, w, "let @height# = @radius#*@steepness# + @tube#");
        break;
    case SHAPE_ELLIPSOID: // support function |(a u1, b u2, c u3)|, u the normal as the body sees it
        line(out, w, "let @seen# = transpose(frame($))*@normal#");
        line(out, w,
             "let @height# = norm((@axes#.x*@seen#.x, @axes#.y*@seen#.y, @axes#.z*@seen#.z))");
        line(out, w,
             "let @arm# = -(frame($)*(@axes#.x^2*@seen#.x, @axes#.y^2*@seen#.y, "
             "@axes#.z^2*@seen#.z))/@height#");
        break;
    }
}

// --- the distance --------------------------------------------------------------------------------

static void write_gap(text *out, const touch_words *w) {
    switch (w->support) {
    case SUPPORT_PLANE:
        line(out, w,
             w->has_through ? "let @gap# = dot(@normal#, @centre# - @through#) - @height#"
                            : "let @gap# = dot(@normal#, @centre#) - @height#");
        break;
    case SUPPORT_SPHERE:
    case SUPPORT_CYLINDER:
        line(out, w,
             w->inside ? "let @gap# = @size# - @height# - norm(@reach#)"
                       : "let @gap# = norm(@reach#) - @size# - @height#");
        break;
    case SUPPORT_SURFACE:
        line(out, w, "let @gap# = dot(@normal#, @centre# - @foot#) - @height#");
        break;
    }
}

// The point of the surface that is nearest to the body lies on the normal through the body's point:
// three equations for three coordinates, which need no force to hold. A ball's point lies on the
// normal through its centre.
static void write_foot(text *out, const touch_words *w) {
    text_format(out, "coord %s, %s, %s\n", w->foot[0], w->foot[1], w->foot[2]);
    line(out, w,
         w->shape == SHAPE_BALL ? "let @way# = @centre# - @foot#" : "let @way# = @point# - @foot#");
    line(out, w,
         "constraint @foot#: (dot(@ahead#, @way#), dot(@beside#, @way#), @surface#) = (0, 0, 0)");
}

// --- tangents ------------------------------------------------------------------------------------

// The first tangent is V less its part along the normal, (s x V) x s for a vector s along that.
static void write_tangents_along(text *out, const touch_words *w) {
    const char *steep = w->support == SUPPORT_SURFACE              ? "slope"
                        : w->support == SUPPORT_PLANE && w->has_up ? "up"
                                                                   : "normal";
    text_format(out, "let %s_steep%s = %s_%s%s\n", w->name, w->index, w->name, steep, w->index);
    line(out, w,
         w->has_along     ? "let @beside# = cross(@steep#, @along#)"
         : w->normal_is_x ? "let @beside# = cross(@steep#, (0, 1, 0))"
                          : "let @beside# = cross(@steep#, (1, 0, 0))");
    line(out, w, "let @ahead# = cross(@beside#, @steep#)");
    line(out, w, "let @tangent# = @ahead#/norm(@ahead#)");
    line(out, w, "let @across# = @beside#/norm(@beside#)");
}

// The images of the x and y axes under the shortest turn that takes (0, 0, 1) to n: a frame without
// roots that fails for n = (0, 0, -1) alone. No frame on a sphere is without such a place. Only for
// a normal without roots: 1 + 1/sqrt(1 + X^2), in shortest form, is over X^2 and lost at X = 0.
static void write_tangents_turned(text *out, const touch_words *w) {
    line(out, w, "let @tangent# = (1, 0, 0) - @normal#.x*(@normal# + (0, 0, 1))/(1 + @normal#.z)");
    line(out, w, "let @across# = (0, 1, 0) - @normal#.y*(@normal# + (0, 0, 1))/(1 + @normal#.z)");
}

static void write_tangents(text *out, const touch_words *w) {
    if (!w->has_along && w->support == SUPPORT_CYLINDER) {
        line(out, w, "let @tangent# = @axle#");
        line(out, w, "let @across# = cross(@normal#, @tangent#)");
    } else if (!w->has_along && w->support == SUPPORT_PLANE && !w->has_up) {
        line(out, w, "let @tangent# = (1, 0, 0)");
        line(out, w, "let @across# = (0, 1, 0)");
    } else if (!w->has_along && w->support == SUPPORT_SPHERE && w->holds)
        write_tangents_turned(out, w);
    else write_tangents_along(out, w);
}

const char *touch_text(arena *a, const touch_words *w) {
    text out = {0};
    line(&out, w,
         w->has_offset ? "let @centre# = pos($) + frame($)*@offset#" : "let @centre# = pos($)");
    write_normal(&out, w);
    write_shape(&out, w);
    line(&out, w, "let @point# = @centre# + @arm#");
    write_gap(&out, w);
    write_tangents(&out, w);
    if (w->support == SUPPORT_SURFACE) write_foot(&out, w);
    line(&out, w,
         w->has_moving ? "let @slip# = velat($, @point#) - @moving#"
                       : "let @slip# = velat($, @point#)");
    const char *made = arena_copy(a, out.bytes, out.length);
    text_free(&out);
    return made;
}
