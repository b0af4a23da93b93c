// What a command line says about a sweep, read as the statements of a model are.
#include "parse/statement.h"
#include "parse/sweep_parts.h"

#include <string.h>

typedef struct {
    elaborator el;
    reader shared;
    LIST(varying, varied);
    LIST(collected, collected);
} work;

// The operands of a statement of this kind; NULL: reported
static const statement *read_text(work *w, statement_kind kind, const char *option,
                                  const char *text) {
    context *ctx = w->el.ctx;
    if (strlen(text) > ctx->limits.source_bytes) {
        context_exhaust(ctx, (span){0}, "bytes of source text", ctx->limits.source_bytes);
        return NULL;
    }
    parser ps =
        parser_of_text(&w->shared, option, arena_copy(&ctx->arena, text, strlen(text)), true);
    statement *st = arena_new(&ctx->arena, statement);
    st->kind = kind, st->at = ps.token.at;
    statement_rules[kind]->parse(&ps, st);
    if (!ps.failed && ps.token.kind != TOKEN_END)
        parser_unexpected(&ps, "an operator or the end of the text");
    st->whole = parser_span(&ps, st->at);
    return ps.failed || ctx->exhausted ? NULL : st;
}

static void read_varied(work *w, const char *text) {
    const statement *st = read_text(w, STATEMENT_SWEEP, "--vary", text);
    if (!st) return;
    for (const item *it = st->items; it && !elab_stopped(&w->el);) {
        varying v;
        if (elab_read_varied(&w->el, &it, NULL, &v)) list_push(w, varied, v);
    }
    elab_check_statement(&w->el, st, 0, NULL);
}

static void read_collected(work *w, const char *text) {
    const statement *st = read_text(w, STATEMENT_COLLECT, "--collect", text);
    const uint32_t first = w->collected_count;
    if (!st) return;
    for (const item *it = st->items; it && !elab_stopped(&w->el); it = it->next) {
        collected c;
        if (!elab_read_collected(&w->el, it, NULL, &c)) continue;
        for (uint32_t i = 0; i < w->collected_count; i++)
            if (strcmp(w->collected[i].name, c.name) == 0)
                diag_error(w->el.ctx, c.at, NULL, "`%s` is collected twice", c.name);
        list_push(w, collected, c);
    }
    elab_check_statement(&w->el, st, w->collected_count - first, w->collected + first);
}

static void read_samples(work *w, const sweep_texts *given, sampling *out) {
    const statement *st =
        given->samples ? read_text(w, STATEMENT_SAMPLES, "--samples", given->samples) : NULL;
    if (st) {
        const sampling stated = *out;
        elab_read_samples(&w->el, st, NULL, out);
        if (!st->items->word) out->how = stated.how;
        if (!st->items->right) out->seed = stated.seed;
    }
    if (!given->seed) return;
    parser ps = parser_of_text(&w->shared, "--seed", given->seed, true);
    const syntax *node = parse_expression(&ps);
    if (!ps.failed && ps.token.kind != TOKEN_END) parser_unexpected(&ps, "an operator");
    if (node && !ps.failed) elab_read_seed(&w->el, node, NULL, &out->seed);
}

static bool draws(const sweep_parts *p) {
    for (uint32_t i = 0; i < p->varied_count; i++)
        if (p->varied[i].kind == VARY_UNIFORM || p->varied[i].kind == VARY_NORMAL) return true;
    return false;
}

hamel_status parse_sweep(model *m, const sweep_texts *given, sweep_parts *out) {
    context *ctx = m->ctx;
    const uint32_t included = m->included_count;
    work w = {.shared = {.ctx = ctx, .pool = m->pool, .model = m}};
    w.el = (elaborator){.ctx = ctx,
                        .pool = m->pool,
                        .model = m,
                        .scope = m->scope,
                        .reader = &w.shared,
                        .main = m->text};
    *out = (sweep_parts){.varied = m->sweeps,
                         .varied_count = m->sweeps_count,
                         .collected = m->collects,
                         .collected_count = m->collects_count,
                         .samples = m->samples};
    for (uint32_t i = 0; i < given->vary_count; i++) read_varied(&w, given->vary[i]);
    for (uint32_t i = 0; i < given->collect_count; i++) read_collected(&w, given->collect[i]);
    read_samples(&w, given, &out->samples);
    if (given->vary_count) {
        varying *kept = arena_array(&ctx->arena, varying, w.varied_count);
        for (uint32_t i = 0; i < w.varied_count; i++) kept[i] = w.varied[i];
        out->varied = kept, out->varied_count = w.varied_count;
        // what the model says of samples is of what it draws
        if (!given->samples && !draws(out)) out->samples.count = 0;
    }
    if (given->collect_count) {
        collected *kept = arena_array(&ctx->arena, collected, w.collected_count);
        for (uint32_t i = 0; i < w.collected_count; i++) kept[i] = w.collected[i];
        out->collected = kept, out->collected_count = w.collected_count;
    }
    m->included_by_options = m->included_count;
    m->included_count = included; // data that an option names are no part of the model
    memory_free(w.varied), memory_free(w.collected);
    names_free(&w.el.assigned), names_free(&w.shared.suspects), names_free(&w.shared.constants);
    return context_status(ctx);
}
