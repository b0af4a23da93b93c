// Maps of stability: steady motions over the rectangle, and what the eigenvalues at points say.
#include "api/sweep_map.h"

#include "api/vary_job.h"
#include "study/map_point.h"

struct map_of_motions {
    vary_job vary;
    stability_map m; // the rectangle
    map_net net;
};

static hamel_status make_net(map_of_runs *w) {
    struct map_of_motions *o = w->motions;
    const vary_job *v = &o->vary;
    double start[2];
    const vary *of[2] = {&v->what, &v->also};
    o->m.path = &o->vary.path;
    for (int k = 0; k < 2; k++) {
        o->m.low[k] = ball_middle(of[k]->low), o->m.high[k] = ball_middle(of[k]->high);
        start[k] = ((k ? v->start_also : v->start) - o->m.low[k]) / (o->m.high[k] - o->m.low[k]);
    }
    if (map_net_create(&o->m, start, &o->net)) return context_status(w->sweep.m->ctx);
    diag_error(w->sweep.m->ctx, (span){0}, "try another state",
               "the rates have no derivatives at the steady motion with %s = %.10g, %s = %.10g",
               v->what.name, v->start, v->also.name, v->start_also);
    return HAMEL_NUMERICS;
}

hamel_status sweep_map_motions(map_of_runs *w) {
    model *m = w->sweep.m;
    const hamel_map *asked = w->asked;
    w->motions = memory_new(struct map_of_motions);
    const char *words = arena_format(&m->ctx->arena, "%s, %s", asked->vary[0], asked->vary[1]);
    const hamel_status status = vary_job_run(m, w->sweep.run->at, words, false, &w->motions->vary);
    return status ? status : make_net(w);
}

void sweep_map_motions_close(map_of_runs *w) {
    if (!w->motions) return;
    map_net_clear(&w->motions->net);
    vary_job_close(&w->motions->vary);
    memory_free(w->motions);
}

run_class sweep_map_verdict(map_of_runs *w, uint32_t i, uint32_t j) {
    static const struct {
        double order;
        const char *name;
    } OF[] = {[STABLE_YES] = {0, "stable"},
              [STABLE_MARGINAL] = {1, "marginal"},
              [STABLE_NO] = {2, "unstable"},
              [STABLE_UNDECIDED] = {3, "no steady motion"}};
    stability_verdict found;
    map_net_verdict(&w->motions->net, (double)i / w->r.width, (double)j / w->r.height, &found);
    return (run_class){SWEEP_REACHED, -1, OF[found].order, OF[found].name, 0};
}

void sweep_map_count(const map_of_runs *w, uint32_t *eigenvalues, uint32_t *neutral) {
    *eigenvalues = w->motions->m.eigenvalues, *neutral = w->motions->m.neutral;
}
