// The "scene" of a page: filled, evaluated, written.
#include "report/scene_internal.h"

enum { MOST_FRAMES = 1500, CHARACTERS = 10 }; // of one number, about
// scene_evaluate() has left fewer in the tracks
enum { TIME_DIGITS = 12, EXTENT_DIGITS = 7, TRACK_DIGITS = 12 };

scene scene_of(const finished_run *r, uint32_t most_frames) {
    const uint64_t rows = r->rows->row_count;
    scene s = {.run = r,
               .system = r->sim->eq->system,
               .m = r->sim->m,
               .p = r->sim->m->pool,
               .physical = true,
               .axis = {"x", "y", "z"},
               .frame_count = rows < most_frames ? (uint32_t)rows : most_frames};
    scene_add_contents(&s);
    if (s.physical) scene_add_reactions(&s);
    scene_evaluate(&s);
    return s;
}

void scene_free(scene *s) {
    for (uint32_t i = 0; i < s->tracks_count; i++) memory_free(s->tracks[i].at);
    memory_free(s->tracks), memory_free(s->items);
}

// --- tracks --------------------------------------------------------------------------------------

typedef struct {
    uint32_t count;
    uint32_t *number; // of a track among those written
    uint32_t *order;  // the tracks written
    uint32_t frames;  // fewer where there are many tracks
} selection;

// The tracks that items use, in the order of their use.
static selection select_tracks(const scene *s, size_t budget) {
    enum { UNUSED = UINT32_MAX, FEWEST = 2 };
    selection x = {.number = memory_array(uint32_t, s->tracks_count + 1),
                   .order = memory_array(uint32_t, s->tracks_count + 1),
                   .frames = s->frame_count};
    for (uint32_t i = 0; i < s->tracks_count; i++) x.number[i] = UNUSED;
    for (uint32_t i = 0; i < s->items_count; i++)
        for (uint32_t j = 0; j < s->items[i].count; j++) {
            const track *t = &s->tracks[s->items[i].quantity[j]];
            if (t->still || x.number[t->same] != UNUSED) continue;
            x.order[x.count] = t->same, x.number[t->same] = x.count++;
        }
    const size_t room = budget / (CHARACTERS * (x.count + 1));
    if (x.frames > room) x.frames = room < FEWEST ? FEWEST : (uint32_t)room;
    return x;
}

static void write_vector(const double v[3], const char *key, json *out) {
    json_open(out, key, '[');
    for (int i = 0; i < 3; i++) json_decimal(out, NULL, v[i], EXTENT_DIGITS);
    json_close(out, ']');
}

static void write_times(const scene *s, const selection *x, json *out) {
    json_open(out, "times", '[');
    for (uint32_t i = 0; i < x->frames; i++)
        json_decimal(
            out, NULL,
            table_at(s->run->rows, scene_row(s, (uint32_t)spread(i, x->frames, s->frame_count)), 0),
            TIME_DIGITS);
    json_close(out, ']');
}

static void write_tracks(const scene *s, const selection *x, json *out) {
    json_open(out, "tracks", '[');
    for (uint32_t i = 0; i < x->count; i++) {
        const double *at = s->tracks[x->order[i]].at;
        json_open(out, NULL, '[');
        for (uint32_t j = 0; j < x->frames; j++)
            json_decimal(out, NULL, at[spread(j, x->frames, s->frame_count)], TRACK_DIGITS);
        json_close(out, ']');
    }
    json_close(out, ']');
}

// --- items ---------------------------------------------------------------------------------------

// number[i]: of track i among those written
static void write_quantity(const scene *s, uint32_t index, const uint32_t *number, const char *key,
                           json *out) {
    const track *t = &s->tracks[index];
    if (t->still) {
        json_decimal(out, key, t->at[0], TRACK_DIGITS);
        return;
    }
    json_open(out, key, '[');
    json_integer(out, NULL, number[t->same]);
    json_close(out, ']');
}

static void write_quantities(const scene *s, uint32_t count, const uint32_t *quantity,
                             const uint32_t *number, const char *key, json *out) {
    json_open(out, key, '[');
    for (uint32_t i = 0; i < count; i++) write_quantity(s, quantity[i], number, NULL, out);
    json_close(out, ']');
}

static void write_points(const scene *s, const scene_item *it, const uint32_t *number,
                         const char *key, json *out) {
    json_open(out, key, '[');
    for (uint32_t i = 0; i < it->count; i += 3)
        write_quantities(s, 3, it->quantity + i, number, NULL, out);
    json_close(out, ']');
}

static void write_item(const scene *s, const scene_item *it, const uint32_t *number, json *out) {
    const shape_kind *kind = scene_shape(it->kind);
    const uint32_t *next = it->quantity;
    json_open(out, NULL, '{');
    json_string(out, "kind", kind->word);
    if (kind->named) json_string(out, "name", it->name);
    for (const shape_member *member = kind->member; next < it->quantity + it->count;
         next += member->count ? member->count : it->count, member++) {
        if (!member->count) write_points(s, it, number, member->key, out);
        else if (member->count == 1) write_quantity(s, *next, number, member->key, out);
        else write_quantities(s, member->count, next, number, member->key, out);
    }
    json_close(out, '}');
}

// --- the whole -----------------------------------------------------------------------------------

static void write_scene(const scene *s, size_t budget, const char *key, json *out) {
    selection x = select_tracks(s, budget);
    json_open(out, key, '{');
    json_string(out, "space", s->physical ? "physical" : "configuration");
    json_open(out, "axes", '[');
    for (int i = 0; i < 3; i++) json_string(out, NULL, s->axis[i]);
    json_close(out, ']');
    json_bool(out, "flat", s->flat);
    write_vector(s->low, "low", out);
    write_vector(s->high, "high", out);
    write_times(s, &x, out);
    write_tracks(s, &x, out);
    json_open(out, "items", '[');
    for (uint32_t i = 0; i < s->items_count; i++) write_item(s, &s->items[i], x.number, out);
    json_close(out, ']');
    json_close(out, '}');
    memory_free(x.number), memory_free(x.order);
}

void scene_json(const finished_run *r, size_t budget, const char *key, json *out) {
    scene s = scene_of(r, MOST_FRAMES);
    if (s.items_count) write_scene(&s, budget, key, out);
    else json_null(out, key);
    scene_free(&s);
}
