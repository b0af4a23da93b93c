// The pictures of a film: which row of the run each shows, and all that is in it.
#include "report/film_internal.h"

#include "base/html.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_FRAMES = 200000, COLOURS = 7 };

struct film {
    scene s;
    film_plan plan;
    camera view;
    double size, longest;
    const char **colour;
};

// Things at the same place have the same colour: a point and its trail.
static void choose_colours(film *f) {
    static const char *const colours[COLOURS] = {"#0072b2", "#d55e00", "#009e73", "#b5578a",
                                                 "#2e96d3", "#b87700", "#3d434b"};
    const scene *s = &f->s;
    uint32_t next = 0;
    for (uint32_t i = 0; i < s->items_count; i++) {
        const scene_item *it = &s->items[i];
        const bool has_one = it->kind != SHAPE_LINE && it->kind != SHAPE_CURVE &&
                             it->kind != SHAPE_ARROW && it->kind != SHAPE_CONTACT;
        f->colour[i] = NULL;
        for (uint32_t j = 0; j < i && has_one && !f->colour[i]; j++) {
            bool same = f->colour[j] != NULL;
            for (uint32_t k = 0; k < 3 && same; k++)
                same = s->tracks[it->quantity[k]].same == s->tracks[s->items[j].quantity[k]].same;
            if (same) f->colour[i] = f->colour[j];
        }
        if (has_one && !f->colour[i]) f->colour[i] = colours[next++ % COLOURS];
    }
}

static double longest_arrow(const scene *s) {
    double longest = 0;
    for (uint32_t i = 0; i < s->items_count; i++) {
        const scene_item *it = &s->items[i];
        for (uint32_t frame = 0; it->kind == SHAPE_ARROW && frame < s->frame_count; frame++) {
            double length = 0;
            for (uint32_t k = 3; k < 6; k++)
                length = hypot(length, s->tracks[it->quantity[k]].at[frame]);
            if (length > longest) longest = length;
        }
    }
    return longest;
}

film *film_create(const finished_run *r, const film_plan *plan) {
    arena *a = &r->sim->m->ctx->arena;
    film *f = arena_new(a, film);
    *f = (film){.s = scene_of(r, MOST_FRAMES), .plan = *plan};
    if (!f->s.items_count || !f->s.frame_count) {
        scene_free(&f->s);
        return NULL;
    }
    if (plan->turned) f->s.flat = false;
    f->view = camera_of(&f->s, plan);
    for (int axis = 0; axis < 3; axis++) f->size = hypot(f->size, f->s.high[axis] - f->s.low[axis]);
    if (!(f->size > 0)) f->size = 1;
    f->longest = longest_arrow(&f->s);
    f->colour = arena_array(a, const char *, f->s.items_count);
    choose_colours(f);
    return f;
}

void film_free(film *f) {
    if (f) scene_free(&f->s);
}

uint32_t film_picture_count(const film *f) {
    const film_plan *p = &f->plan;
    return 1 + (uint32_t)floor((p->until - p->from) * p->rate / p->speed + 1e-6);
}

// The frame of the scene whose time is nearest
static uint32_t frame_at(const scene *s, double time) {
    uint32_t low = 0, high = s->frame_count - 1;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (table_at(s->run->rows, scene_row(s, middle), 0) < time) low = middle + 1;
        else high = middle;
    }
    const double above = table_at(s->run->rows, scene_row(s, low), 0),
                 below = low ? table_at(s->run->rows, scene_row(s, low - 1), 0) : -INFINITY;
    return time - below < above - time ? low - 1 : low;
}

static int from_far_to_near(const void *one, const void *other) {
    const film_part *a = one, *b = other;
    if (a->depth != b->depth) return a->depth < b->depth ? 1 : -1;
    return a->index < b->index ? -1 : 1;
}

static void write_words(const film *f, double time, text *svg) {
    if (f->plan.title) {
        text_append(svg, "<text x=\"16\" y=\"30\" font-size=\"20\" fill=\"#1d2126\">");
        html_text(f->plan.title, svg);
        text_append(svg, "</text>");
    }
    text_format(svg,
                "<text x=\"%.1f\" y=\"%.1f\" font-size=\"18\" text-anchor=\"end\" "
                "fill=\"#1d2126\"><tspan font-style=\"italic\">t</tspan> = %.2f</text>",
                f->plan.width - 16, f->plan.height - 16, time);
}

void film_picture(const film *f, uint32_t index, text *svg) {
    const double time = f->plan.from + index * f->plan.speed / f->plan.rate;
    const uint32_t frame = frame_at(&f->s, time);
    film_canvas c = {.s = &f->s,
                     .plan = &f->plan,
                     .view = f->view,
                     .size = f->size,
                     .longest = f->longest,
                     .colour = f->colour,
                     .frame = frame,
                     .time = table_at(f->s.run->rows, scene_row(&f->s, frame), 0)};
    film_draw_ground(&c);
    for (uint32_t i = 0; i < f->s.items_count; i++) film_draw_item(&c, &f->s.items[i], i);
    qsort(c.parts, c.parts_count, sizeof *c.parts, from_far_to_near);
    text_format(svg,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                "font-family=\"'STIX Two Text','Latin Modern Roman',serif\" font-size=\"15\">"
                "<rect width=\"100%%\" height=\"100%%\" fill=\"#fffefb\"/>",
                f->plan.width, f->plan.height);
    for (uint32_t i = 0; i < c.parts_count; i++)
        text_append_n(svg, c.svg.bytes + c.parts[i].start, c.parts[i].length);
    write_words(f, c.time, svg);
    text_append(svg, "</svg>\n");
    text_free(&c.svg);
    memory_free(c.parts);
}
