// Verdicts as data, and what the table and the data say in the same words.
#include "api/verdicts.h"

#include <string.h>

// --- finding -------------------------------------------------------------------------------------

hamel_status verdicts_find(model *m, const char *forms, bool certify, uint64_t seed,
                           const mechanics **s, judgement *out) {
    form_list list;
    hamel_status status = api_read_forms(m->ctx, forms, &list);
    if (!status) status = api_mechanics(m, s);
    if (status) return status;
    const prove_request request = {.certify = certify,
                                   .seed = seed,
                                   .form_count = list.all ? 0 : list.count,
                                   .form = list.form,
                                   .write = api_write_expression};
    status = prove_model(m, *s, &request, out);
    if (status) judgement_free(out);
    return status;
}

hamel_status verdicts_status(const judgement *j) {
    hamel_status status = HAMEL_OK;
    for (uint32_t i = 0; i < j->verdicts_count; i++) {
        if (j->verdicts[i].verdict == VERDICT_REFUTED) return HAMEL_REFUTED;
        if (j->verdicts[i].verdict == VERDICT_UNDECIDED) status = HAMEL_UNDECIDED;
    }
    return status;
}

// --- words ---------------------------------------------------------------------------------------

const char *verdicts_word(const verdict *v) {
    static const char *const words[] = {"proved", "refuted", "undecided"};
    return words[v->verdict];
}

uint32_t verdicts_scope(const verdict *v, const char *out[VERDICTS_SCOPES]) {
    uint32_t count = 0;
    if (v->verdict != VERDICT_PROVED || v->kind[0] == 'm') return 0;
    out[count++] = v->scope.everywhere ? "everywhere" : "generic";
    if (v->scope.branch) out[count++] = "on this branch";
    out[count++] = v->scope.stated_values ? "for these values" : "for all values";
    if (v->scope.where_defined) out[count++] = "where defined";
    if (v->scope.algebra_alone) out[count++] = "by algebra alone";
    return count;
}

const char *verdicts_bound(const verdict *v, arena *a) {
    if (v->verdict != VERDICT_PROVED) return "";
    return v->trials ? arena_format(a, "2^%.0f", v->bound) : "0";
}

// --- data ----------------------------------------------------------------------------------------

struct hamel_verdicts {
    arena words; // of what follows
    size_t count;
    hamel_verdict *list;
};

static const char *kept(hamel_verdicts *w, const char *words) {
    return words ? arena_copy(&w->words, words, strlen(words)) : NULL;
}

static hamel_verdict one(hamel_verdicts *w, const verdict *v) {
    const char **scope = arena_array(&w->words, const char *, VERDICTS_SCOPES),
               **name = arena_array(&w->words, const char *, v->witness_count),
               **value = arena_array(&w->words, const char *, v->witness_count);
    for (uint32_t k = 0; k < v->witness_count; k++)
        name[k] = kept(w, v->witness[k].name), value[k] = kept(w, v->witness[k].value);
    return (hamel_verdict){
        .kind = kept(w, v->kind),
        .name = kept(w, v->name),
        .verdict = verdicts_word(v),
        .method = kept(w, v->method),
        .bound = verdicts_bound(v, &w->words),
        .trials = v->trials,
        .residual = kept(w, v->residual),
        .relative = kept(w, v->relative),
        .remark = kept(w, v->remark),
        .place = v->verdict == VERDICT_PROVED && v->kind[0] != 'm' ? kept(w, v->place) : NULL,
        .identity = v->identity,
        .scope_count = verdicts_scope(v, scope),
        .scope = scope,
        .witness_count = v->witness_count,
        .witness_name = name,
        .witness_value = value};
}

static hamel_status judge(hamel_model *m, const char *forms, int certify, unsigned long long seed,
                          hamel_verdicts **out) {
    judgement j = {0};
    const mechanics *s;
    hamel_status status = verdicts_find(m, forms, certify, seed, &s, &j);
    if (status) return status;
    hamel_verdicts *w = memory_new(hamel_verdicts);
    w->list = arena_array(&w->words, hamel_verdict, j.verdicts_count);
    for (uint32_t i = 0; i < j.verdicts_count; i++) w->list[w->count++] = one(w, &j.verdicts[i]);
    status = verdicts_status(&j);
    judgement_free(&j);
    arena_hand_over(&w->words), memory_hand_over(w);
    *out = w;
    return status;
}

static hamel_status judge_within(hamel_model *m, const char *forms, int certify,
                                 unsigned long long seed, hamel_verdicts **out) {
    API_CALL(m->ctx, NULL, judge(m, forms, certify, seed, out), "proving what is said of `%s`",
             m->name);
}

hamel_status hamel_model_judge(hamel_model *m, const char *forms, int certify,
                               unsigned long long seed, hamel_verdicts **verdicts) {
    if (verdicts) *verdicts = NULL;
    API_NEEDS(NULL, m);
    API_NEEDS(m->ctx, verdicts);
    return judge_within(m, forms ? forms : "all", certify, seed, verdicts);
}

size_t hamel_verdicts_count(const hamel_verdicts *w) { return w ? w->count : 0; }

int hamel_verdicts_at(const hamel_verdicts *w, size_t index, hamel_verdict *verdict) {
    if (!w || !verdict || index >= w->count) return 0;
    *verdict = w->list[index];
    return 1;
}

void hamel_verdicts_free(hamel_verdicts *w) {
    if (!w) return;
    arena_free(&w->words);
    memory_free(w);
}
