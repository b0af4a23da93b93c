// A quadtree over a raster of classes.
#include "sweep/refinement.h"

#include <string.h>

static void want(refinement *r, uint32_t i, uint32_t j) {
    enum { WANTED = -3 };
    int32_t *class = refinement_class(r, i, j);
    if (*class != CLASS_UNKNOWN) return;
    *class = WANTED;
    list_push(r, wanted, (raster_point){i, j});
}

void refinement_begin(refinement *r, uint32_t cells, uint32_t depth) {
    const uint32_t size = (uint32_t)1 << depth;
    *r = (refinement){.width = cells * size, .height = cells * size};
    const size_t points = (size_t)(r->width + 1) * (r->height + 1);
    r->class = memory_array(int32_t, points);
    for (size_t k = 0; k < points; k++) r->class[k] = CLASS_UNKNOWN;
    for (uint32_t j = 0; j <= cells; j++)
        for (uint32_t i = 0; i <= cells; i++) want(r, i * size, j * size);
    for (uint32_t j = 0; j < cells; j++)
        for (uint32_t i = 0; i < cells; i++)
            list_push(r, cells, (raster_cell){i * size, j * size, size});
}

void refinement_free(refinement *r) {
    memory_free(r->class), memory_free(r->cells), memory_free(r->wanted);
    *r = (refinement){0};
}

// --- leaves --------------------------------------------------------------------------------------

// Two classes of one leaf, of which either may be unknown
static int32_t both(int32_t a, int32_t b) {
    if (b < 0 && b != CLASS_MIXED) return a;
    return a == CLASS_UNKNOWN || a == b ? b : CLASS_MIXED;
}

int32_t refinement_of_cell(const refinement *r, const raster_cell *c) {
    int32_t found = CLASS_UNKNOWN;
    for (uint32_t k = 0; k <= c->size && found != CLASS_MIXED; k++) {
        found = both(found, *refinement_class(r, c->i + k, c->j));
        found = both(found, *refinement_class(r, c->i + k, c->j + c->size));
        found = both(found, *refinement_class(r, c->i, c->j + k));
        found = both(found, *refinement_class(r, c->i + c->size, c->j + k));
    }
    return found;
}

// In four, of which the first takes its place
static void divide(refinement *r, uint32_t cell) {
    const raster_cell c = r->cells[cell];
    const uint32_t half = c.size / 2;
    want(r, c.i + half, c.j), want(r, c.i, c.j + half), want(r, c.i + half, c.j + half);
    want(r, c.i + c.size, c.j + half), want(r, c.i + half, c.j + c.size);
    r->cells[cell].size = half;
    list_push(r, cells, (raster_cell){c.i + half, c.j, half});
    list_push(r, cells, (raster_cell){c.i, c.j + half, half});
    list_push(r, cells, (raster_cell){c.i + half, c.j + half, half});
}

// Where a division asks for no new point its parts are looked at again at once.
void refinement_set(refinement *r, const int32_t *class) {
    for (uint32_t k = 0; k < r->wanted_count; k++)
        *refinement_class(r, r->wanted[k].i, r->wanted[k].j) = class[k];
    r->looked += r->wanted_count, r->wanted_count = 0;
    bool divided = true;
    while (divided && !r->wanted_count) {
        divided = false;
        const uint32_t count = r->cells_count;
        for (uint32_t k = 0; k < count; k++) {
            if (r->cells[k].size == 1 || refinement_of_cell(r, &r->cells[k]) != CLASS_MIXED)
                continue;
            divide(r, k);
            divided = true;
        }
    }
}

void refinement_fill(refinement *r) {
    for (uint32_t k = 0; k < r->cells_count; k++) {
        const raster_cell *c = &r->cells[k];
        const int32_t class = refinement_of_cell(r, c);
        for (uint32_t j = 0; j <= c->size && class >= 0; j++)
            for (uint32_t i = 0; i <= c->size; i++) {
                int32_t *point = refinement_class(r, c->i + i, c->j + j);
                if (*point == CLASS_UNKNOWN) *point = class;
            }
    }
}
