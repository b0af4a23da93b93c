// The items of a scene in one picture of a film, each as parts with their depths; what they look
// like is as on the page (web/src/items.js).
#include "report/film_internal.h"

#include "base/html.h"

#include <math.h>
#include <stdlib.h>

static const double POINT = 0.012, THINNEST = 0.003, LONGEST_ARROW = 0.25; // parts of the scene
static const double SMALLEST = 4;                                          // pixels: a radius
static const double PI = 3.14159265358979323846;
static const char ROD[] = "#6b7280", ARROW[] = "#d55e00", RULE[] = "#dedcd3", MUTED[] = "#636a73";

// --- parts ---------------------------------------------------------------------------------------

static void begin_part(film_canvas *c) {
    list_push(c, parts, (film_part){.start = c->svg.length, .index = c->parts_count});
}

static void end_part(film_canvas *c, double depth) {
    film_part *p = &c->parts[c->parts_count - 1];
    p->depth = depth, p->length = c->svg.length - p->start;
}

// " x,y" in a list of points
static void write_spot(film_canvas *c, seen_spot at) {
    text_format(&c->svg, " %.2f,%.2f", at.x, at.y);
}

// "#0072b2" times a brightness
static void write_shade(film_canvas *c, const char *colour, double light) {
    const unsigned long parts = strtoul(colour + 1, NULL, 16);
    text_append(&c->svg, "#");
    for (int shift = 16; shift >= 0; shift -= 8)
        text_format(&c->svg, "%02x", (unsigned)lround((double)(parts >> shift & 255) * light));
}

static void draw_circle(film_canvas *c, place at, double radius, const char *colour,
                        double opacity) {
    const seen_spot spot = camera_see(&c->view, at);
    begin_part(c);
    text_format(&c->svg,
                "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\" fill=\"%s\" fill-opacity=\"%g\"/>",
                spot.x, spot.y, fmax(SMALLEST, radius * spot.scale), colour, opacity);
    end_part(c, spot.depth - radius);
}

static void draw_segment(film_canvas *c, place from, place to, const char *colour, double width) {
    const seen_spot a = camera_see(&c->view, from), b = camera_see(&c->view, to);
    begin_part(c);
    text_format(&c->svg,
                "<path d=\"M%.2f,%.2fL%.2f,%.2f\" stroke=\"%s\" stroke-width=\"%.2f\" "
                "stroke-linecap=\"round\"/>",
                a.x, a.y, b.x, b.y, colour, width);
    end_part(c, (a.depth + b.depth) / 2);
}

// --- the ground ----------------------------------------------------------------------------------

// The largest of 1, 2, 5 times a power of ten that is not above the limit
static double round_step(double limit) {
    const double power = pow(10, floor(log10(limit)));
    return power * (5 * power <= limit * (1 + 1e-9) ? 5 : 2 * power <= limit * (1 + 1e-9) ? 2 : 1);
}

static void draw_grid_line(film_canvas *c, place from, place to) {
    const seen_spot a = camera_see(&c->view, from), b = camera_see(&c->view, to);
    text_format(&c->svg, "M%.2f,%.2fL%.2f,%.2f", a.x, a.y, b.x, b.y);
}

static void name_axis(film_canvas *c, place at, const char *name) {
    const seen_spot spot = camera_see(&c->view, at);
    text_format(&c->svg, "<text x=\"%.2f\" y=\"%.2f\" fill=\"%s\" font-style=\"italic\">", spot.x,
                spot.y - 4, MUTED);
    html_text(name, &c->svg);
    text_append(&c->svg, "</text>");
}

void film_draw_ground(film_canvas *c) {
    enum { LINES = 8 }; // across the longer side, at least
    const double *low = c->s->low, *high = c->s->high, z = low[2];
    const double longer = fmax(fmax(high[0] - low[0], high[1] - low[1]), 0.25 * c->size),
                 step = round_step(longer / LINES);
    double from[2], to[2];
    for (int axis = 0; axis < 2; axis++) {
        from[axis] = floor(low[axis] / step - 0.5) * step;
        to[axis] = ceil(high[axis] / step + 0.5) * step;
    }
    begin_part(c);
    text_format(&c->svg, "<path stroke=\"%s\" stroke-width=\"1\" fill=\"none\" d=\"", RULE);
    for (double x = from[0]; x <= to[0] + step / 2; x += step)
        draw_grid_line(c, (place){{x, from[1], z}}, (place){{x, to[1], z}});
    for (double y = from[1]; y <= to[1] + step / 2; y += step)
        draw_grid_line(c, (place){{from[0], y, z}}, (place){{to[0], y, z}});
    if (!c->s->flat)
        draw_grid_line(c, (place){{from[0], from[1], z}}, (place){{from[0], from[1], high[2]}});
    text_append(&c->svg, "\"/>");
    name_axis(c, (place){{to[0], from[1], z}}, c->s->axis[0]);
    name_axis(c, (place){{from[0], to[1], z}}, c->s->axis[1]);
    if (!c->s->flat) name_axis(c, (place){{from[0], from[1], high[2]}}, c->s->axis[2]);
    end_part(c, INFINITY);
}

// --- ways ----------------------------------------------------------------------------------------

static bool is_there(place at) {
    return isfinite(at.at[0]) && isfinite(at.at[1]) && isfinite(at.at[2]);
}

// The way of an item from one frame to another; gaps in the data are gaps
static void draw_way(film_canvas *c, const scene_item *it, uint32_t from, uint32_t to,
                     const char *colour, double width, double opacity) {
    const uint32_t now = c->frame;
    bool begun = false;
    begin_part(c);
    text_format(&c->svg,
                "<path fill=\"none\" stroke=\"%s\" stroke-width=\"%g\" stroke-opacity=\"%g\" "
                "stroke-linejoin=\"round\" d=\"",
                colour, width, opacity);
    for (c->frame = from; c->frame <= to; c->frame++) {
        const place at = film_place(c, it, 0);
        const seen_spot spot = camera_see(&c->view, at);
        if (is_there(at)) text_format(&c->svg, "%c%.1f,%.1f", begun ? 'L' : 'M', spot.x, spot.y);
        begun = is_there(at);
    }
    text_append(&c->svg, "\"/>");
    c->frame = now;
    end_part(c, INFINITY); // behind everything but the ground
}

// The way so far, strong; the whole way, faint, where all of it is wanted
static void draw_trail(film_canvas *c, const scene_item *it, const char *colour) {
    uint32_t from = 0;
    const double earliest = c->time - c->plan->trail;
    while (c->plan->trail >= 0 && from < c->frame &&
           table_at(c->s->run->rows, scene_row(c->s, from), 0) < earliest)
        from++;
    if (c->plan->trail < 0) draw_way(c, it, 0, c->s->frame_count - 1, colour, 1.5, 0.35);
    if (c->plan->trail != 0) draw_way(c, it, from, c->frame, colour, 2.5, 1);
}

static void draw_curve(film_canvas *c, const scene_item *it) {
    begin_part(c);
    text_format(&c->svg, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"", ROD);
    double depth = 0;
    for (uint32_t i = 0; i + 2 < it->count; i += 3) {
        const seen_spot spot = camera_see(&c->view, film_place(c, it, i));
        write_spot(c, spot), depth += spot.depth * 3 / it->count;
    }
    text_append(&c->svg, "\"/>");
    end_part(c, depth);
}

// --- solids --------------------------------------------------------------------------------------

typedef struct {
    place centre, axis[3]; // the half axes of a body, in space
} solid;

static solid solid_of(const film_canvas *c, const scene_item *it, double part) {
    solid made = {.centre = film_place(c, it, 0)};
    for (uint32_t j = 0; j < 3; j++) {
        const double length = fmax(film_value(c, it, 12 + j), THINNEST * c->size) * part;
        for (uint32_t i = 0; i < 3; i++)
            made.axis[j].at[i] = length * film_value(c, it, 3 + 3 * i + j);
    }
    return made;
}

static place inside(const solid *o, double x, double y, double z) {
    return place_add(place_add(place_add(o->centre, x, o->axis[0]), y, o->axis[1]), z, o->axis[2]);
}

// A face with four corners, if its front is seen; octants are light and dark in turn, so that
// turning is seen
static void draw_face(film_canvas *c, const place corner[4], place normal, bool dark,
                      const char *colour) {
    if (!camera_faces(&c->view, corner[0], normal)) return;
    double depth = 0;
    begin_part(c);
    text_append(&c->svg, "<polygon points=\"");
    for (int i = 0; i < 4; i++) {
        const seen_spot spot = camera_see(&c->view, corner[i]);
        write_spot(c, spot), depth += spot.depth / 4;
    }
    text_append(&c->svg, "\" fill=\"");
    const double light = camera_light(&c->view, normal) * (dark ? 0.72 : 1);
    write_shade(c, colour, light);
    text_append(&c->svg, "\" stroke=\""); // no seams between faces
    write_shade(c, colour, light);
    text_append(&c->svg, "\" stroke-width=\"0.6\"/>");
    end_part(c, depth);
}

static place ball_spot(double around, double over) {
    return (place){{cos(over) * cos(around), cos(over) * sin(around), sin(over)}};
}

static void draw_ellipsoid(film_canvas *c, const scene_item *it, const char *colour) {
    enum { AROUND = 32, OVER = 16 }; // whole octants
    const solid o = solid_of(c, it, 1);
    for (int j = 0; j < OVER; j++)
        for (int i = 0; i < AROUND; i++) {
            place corner[4];
            for (int k = 0; k < 4; k++) {
                const place p = ball_spot(2 * PI * (i + (k == 1 || k == 2)) / AROUND,
                                          PI * ((j + (k > 1)) - OVER / 2.) / OVER);
                corner[k] = inside(&o, p.at[0], p.at[1], p.at[2]);
            }
            const place m =
                ball_spot(2 * PI * (i + 0.5) / AROUND, PI * (j + 0.5 - OVER / 2.) / OVER);
            place normal = {{0}}; // sum_i m_i a_i/|a_i|^2
            for (int k = 0; k < 3; k++)
                normal = place_add(normal, m.at[k] / place_dot(o.axis[k], o.axis[k]), o.axis[k]);
            draw_face(c, corner, normal, m.at[0] * m.at[1] * m.at[2] < 0, colour);
        }
}

// A quarter of a side of a box: (u, v) in its plane, w towards it
static void draw_quarter(film_canvas *c, const solid *o, int side, double sign, int quarter,
                         const char *colour) {
    const int u = (side + 1) % 3, v = (side + 2) % 3;
    const double across = quarter & 1 ? 1 : -1, along = quarter & 2 ? 1 : -1;
    place corner[4];
    for (int k = 0; k < 4; k++) {
        double at[3];
        at[side] = sign;
        at[u] = k == 1 || k == 2 ? across : 0, at[v] = k > 1 ? along : 0;
        corner[k] = inside(o, at[0], at[1], at[2]);
    }
    const place normal = place_add((place){{0}}, sign, o->axis[side]);
    draw_face(c, corner, normal, sign * across * along < 0, colour);
}

static void draw_box(film_canvas *c, const scene_item *it, const char *colour) {
    const solid o = solid_of(c, it, 0.5); // whole edges
    for (int side = 0; side < 3; side++)
        for (int quarter = 0; quarter < 8; quarter++)
            draw_quarter(c, &o, side, quarter & 4 ? 1 : -1, quarter & 3, colour);
}

static void draw_disk(film_canvas *c, const scene_item *it, const char *colour) {
    enum { CORNERS = 64 };
    const place centre = film_place(c, it, 0), normal = place_unit(film_place(c, it, 3));
    const place other = fabs(normal.at[2]) < 0.9 ? (place){{0, 0, 1}} : (place){{1, 0, 0}};
    const place u = place_unit(place_cross(other, normal)), v = place_cross(normal, u);
    const double radius = fmax(film_value(c, it, 6), THINNEST * c->size);
    begin_part(c);
    text_append(&c->svg, "<polygon points=\"");
    for (int i = 0; i < CORNERS; i++) {
        const double angle = 2 * PI * i / CORNERS;
        write_spot(c, camera_see(&c->view, place_add(place_add(centre, radius * cos(angle), u),
                                                     radius * sin(angle), v)));
    }
    const seen_spot spot = camera_see(&c->view, centre);
    text_format(&c->svg,
                "\" fill=\"%s\" fill-opacity=\"0.35\" stroke=\"%s\" stroke-width=\"%.2f\"/>",
                colour, colour, fmax(1.5, 0.05 * radius * spot.scale));
    end_part(c, spot.depth);
}

// --- arrows, contacts, names ---------------------------------------------------------------------

// Where its name goes; nowhere, if it is too short to be seen
static place draw_arrow(film_canvas *c, const scene_item *it) {
    const place from = film_place(c, it, 0), vector = film_place(c, it, 3);
    const double scale = c->longest > 0 ? LONGEST_ARROW * c->size / c->longest : 0;
    const place to = place_add(from, scale, vector);
    const seen_spot a = camera_see(&c->view, from), b = camera_see(&c->view, to);
    const double length = hypot(b.x - a.x, b.y - a.y), head = fmin(11, length / 2);
    if (length < 1) return (place){{NAN, NAN, NAN}};
    const double x = (b.x - a.x) / length, y = (b.y - a.y) / length;
    begin_part(c);
    text_format(&c->svg,
                "<path d=\"M%.2f,%.2fL%.2f,%.2f\" stroke=\"%s\" stroke-width=\"2.4\"/>"
                "<path d=\"M%.2f,%.2fl%.2f,%.2fl%.2f,%.2fz\" fill=\"%s\"/>",
                a.x, a.y, b.x - head * x, b.y - head * y, ARROW, b.x, b.y,
                -head * x - 0.4 * head * y, -head * y + 0.4 * head * x, 0.8 * head * y,
                -0.8 * head * x, ARROW);
    end_part(c, fmin(a.depth, b.depth));
    return to;
}

// A dot where a contact is closed: 1 and -1 slide, 2 sticks
static void draw_contact(film_canvas *c, const scene_item *it) {
    const double mode = film_value(c, it, 3);
    if (mode == 0) return;
    const char *colour = mode == 2 ? "#009e73" : mode < 0 ? "#b5578a" : "#d55e00";
    draw_circle(c, film_place(c, it, 0), POINT * c->size, colour, 1);
}

static void draw_name(film_canvas *c, const scene_item *it, place at) {
    if (!it->name || it->kind == SHAPE_CONTACT || !is_there(at)) return;
    const seen_spot spot = camera_see(&c->view, at);
    begin_part(c);
    text_format(&c->svg, "<text x=\"%.2f\" y=\"%.2f\" fill=\"%s\">", spot.x + 8, spot.y - 8, MUTED);
    html_text(it->name, &c->svg);
    text_append(&c->svg, "</text>");
    end_part(c, -INFINITY);
}

void film_draw_item(film_canvas *c, const scene_item *it, uint32_t index) {
    const char *colour = c->colour[index];
    const place at = film_place(c, it, 0);
    place name_at = at;
    if (it->kind == SHAPE_TRAIL) draw_trail(c, it, colour);
    if (!is_there(at)) return; // a gap in the data
    switch (it->kind) {
    case SHAPE_POINT: draw_circle(c, at, POINT * c->size, colour, 1); break;
    case SHAPE_SPHERE: draw_circle(c, at, film_value(c, it, 3), colour, 0.55); break;
    case SHAPE_BODY:
    case SHAPE_ELLIPSOID: draw_ellipsoid(c, it, colour); break;
    case SHAPE_BOX: draw_box(c, it, colour); break;
    case SHAPE_DISK: draw_disk(c, it, colour); break;
    case SHAPE_LINE: draw_segment(c, at, film_place(c, it, 3), ROD, 2.8); break;
    case SHAPE_CURVE: draw_curve(c, it); break;
    case SHAPE_ARROW: name_at = draw_arrow(c, it); break;
    case SHAPE_CONTACT: draw_contact(c, it); break;
    case SHAPE_TRAIL: break;
    }
    draw_name(c, it, name_at);
}
