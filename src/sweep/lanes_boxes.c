// Boxes in which nothing has to be looked at.
#include "sweep/lanes_boxes.h"

#include <math.h>
#include <string.h>

enum { KEPT = 256 };

lanes_boxes lanes_boxes_create(uint32_t inputs) {
    return (lanes_boxes){.bound = memory_zeros(double, 2 * ((size_t)KEPT + 1) * (inputs + 1)),
                         .reach = memory_zeros(double, 2 * ((size_t)inputs + 1))};
}

void lanes_boxes_free(lanes_boxes *b) { memory_free(b->bound), memory_free(b->reach); }

void lanes_boxes_reach(lanes_boxes *b, const lanes_plan *plan, const lanes_view *v) {
    double *reach = b->reach;
    const uint32_t n = plan->size;
    const double *f = v->k, *f1 = v->z1 + n, h = v->t1 - v->t, over = 1 / h;
    for (uint32_t k = 0; k < plan->input_count; k++) {
        const uint32_t i = plan->input[k];
        double middle = v->t + h / 2, radius = h / 2;
        if (i < n) {
            const double gap = (v->z1[i] - v->z[i]) * over, c = 3 * gap - 2 * f[i] - f1[i],
                         d = f[i] + f1[i] - 2 * gap;
            middle = v->z[i] + h * (f[i] / 2 + c / 4 + d / 8);
            radius = h * (fabs(f[i] + c + 0.75 * d) / 2 + (2 * fabs(c) + 6 * fabs(d)) / 4) +
                     2e-15 * fabs(middle);
        }
        reach[2 * k] = middle - radius, reach[2 * k + 1] = middle + radius;
    }
}

static bool holds(const lanes_plan *plan, const double *bound, const double *reach) {
    for (uint32_t k = 0; k < plan->input_count; k++)
        if (!(reach[2 * k] >= bound[2 * k] && reach[2 * k + 1] <= bound[2 * k + 1])) return false;
    return true;
}

bool lanes_boxes_find(const lanes_boxes *b, const lanes_plan *plan, lanes_view *v) {
    const uint32_t inputs = plan->input_count;
    const double *bound = b->bound;
    for (uint32_t i = 0; i < b->count; i++, bound += 2 * inputs) {
        if (!holds(plan, bound, b->reach)) continue;
        for (uint32_t k = 0; k < inputs; k++)
            v->low[k] = bound[2 * k], v->high[k] = bound[2 * k + 1];
        return true;
    }
    return false;
}

void lanes_boxes_keep(lanes_boxes *b, const lanes_plan *plan, const lanes_view *v) {
    double *bound = b->bound + 2 * (size_t)plan->input_count * KEPT; // behind the last one
    for (uint32_t k = 0; k < plan->input_count; k++)
        bound[2 * k] = v->low[k], bound[2 * k + 1] = v->high[k];
    if (!holds(plan, bound, b->reach)) return;
    memcpy(b->bound + 2 * (size_t)plan->input_count * b->next, bound,
           sizeof(double) * 2 * plan->input_count);
    if (b->count < KEPT) b->count++;
    b->next = (b->next + 1) % KEPT;
}
