// Code lenses: above `system` the degrees of freedom, above claims and invariants their verdicts.
// Where they stand is told at once; what they say is worked out by a child when it is asked for,
// and answered when it is there.
#include "lsp.h"

#include <stdlib.h>
#include <string.h>

static bool is_judged_kind(const char *kind) {
    static const char *const kinds[] = {"system", "claim", "invariant"};
    for (int i = 0; i < 3; i++)
        if (strcmp(kinds[i], kind) == 0) return true;
    return false;
}

void lsp_lenses(lsp_server *s, const sent_value *id, const sent_value *params) {
    lsp_document *d = lsp_find(s, sent_text(sent_at(params, "textDocument", "uri", NULL)));
    lsp_refresh(s);
    lsp_out o;
    FILE *out = lsp_open_result(&o, id);
    hamel_symbol y;
    bool some = false;
    putc('[', out);
    const bool good = d && hamel_document_model(d->read);
    for (size_t i = 0; good && hamel_document_symbol_at(d->read, i, &y); i++) {
        if (y.is_local || strcmp(y.at.file, d->path) != 0 || !is_judged_kind(y.kind)) continue;
        const bool system = strcmp(y.kind, "system") == 0;
        fputs(some ? ",{\"range\":" : "{\"range\":", out);
        lsp_write_range(&d->lines, y.at.offset, y.at.length, out);
        fputs(",\"data\":{\"uri\":", out);
        sent_quote(out, d->uri, strlen(d->uri));
        fputs(",\"name\":", out);
        if (system) fputs("\"system\"", out);
        else {
            char *name = lsp_memory(strlen(y.kind) + strlen(y.name) + 2);
            sprintf(name, "%s %s", y.kind, y.name);
            sent_quote(out, name, strlen(name));
            free(name);
        }
        fputs("}}", out);
        some = true;
    }
    putc(']', out);
    lsp_close(s, &o);
}

// --- resolving -----------------------------------------------------------------------------------

static void write_lens(const lsp_waiting *w, const char *words, FILE *out) {
    fprintf(out, "{%s,\"command\":{\"title\":", w->lens);
    sent_quote(out, words, strlen(words));
    fputs(",\"command\":\"\"}}", out);
}

static void free_waiting(lsp_waiting *w) {
    free(w->id), free(w->lens), free(w->uri), free(w->name), free(w);
}

static void answer(lsp_server *s, const lsp_waiting *w, const char *words) {
    lsp_out o;
    FILE *out = lsp_open(&o);
    fprintf(out, "\"id\":%s,\"result\":", w->id);
    write_lens(w, words, out);
    lsp_close(s, &o);
}

// A waiting lens is answered once its verdict is there, or all that can be known is.
void lsp_answer_lenses(lsp_server *s, const char *uri) {
    const lsp_document *d = lsp_find(s, uri);
    for (lsp_waiting **at = &s->waiting; d && *at;) {
        lsp_waiting *w = *at;
        const lsp_verdict *v = strcmp(w->uri, uri) == 0 ? lsp_find_verdict(d, w->name) : NULL;
        const char *words = v ? v->words : d->is_judged ? "not judged" : NULL;
        if (strcmp(w->uri, uri) != 0 || !words) {
            at = &w->next;
            continue;
        }
        *at = w->next;
        answer(s, w, words);
        free_waiting(w);
    }
}

static void refuse(lsp_server *s, const lsp_waiting *w, int code, const char *words) {
    sent_tree tree;
    const sent_value *id = sent_read(w->id, strlen(w->id), &tree);
    lsp_refuse(s, id, code, words);
    sent_release(&tree);
}

void lsp_drop_lenses(lsp_server *s, const char *uri, int code, const char *words) {
    for (lsp_waiting **at = &s->waiting; *at;) {
        lsp_waiting *w = *at;
        if (uri && strcmp(w->uri, uri) != 0) {
            at = &w->next;
            continue;
        }
        *at = w->next;
        refuse(s, w, code, words);
        free_waiting(w);
    }
}

void lsp_resolve_lens(lsp_server *s, const sent_value *id, const sent_value *params) {
    const sent_value *range = sent_member(params, "range"), *data = sent_member(params, "data");
    const char *uri = sent_text(sent_member(data, "uri")),
               *name = sent_text(sent_member(data, "name"));
    lsp_document *d = lsp_find(s, uri);
    if (!range || !name || !d) {
        lsp_refuse(s, id, LSP_INVALID_PARAMS, "expected a lens of this server");
        return;
    }
    lsp_refresh(s);
    lsp_waiting *w = lsp_memory(sizeof *w);
    w->id = lsp_copy(id->raw, id->raw_length);
    w->lens = lsp_memory(range->raw_length + data->raw_length + 32);
    sprintf(w->lens, "\"range\":%.*s,\"data\":%.*s", (int)range->raw_length, range->raw,
            (int)data->raw_length, data->raw);
    w->uri = lsp_copy(uri, strlen(uri));
    w->name = lsp_copy(name, strlen(name));
    lsp_waiting **end = &s->waiting;
    while (*end) end = &(*end)->next;
    *end = w;
    lsp_judge(s, d);
    lsp_answer_lenses(s, w->uri);
}
