// A new name for what stands at the cursor, in every open text that knows it. The texts with the
// new name are read before anything is answered: what would mean something else is refused.
#include "lsp.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    const lsp_places *places;
    const char *name;
    lsp_server *server;
    char **made; // texts that were handed out
    size_t count;
} renamed;

// The text with the new name in all places of this file; the caller's
static char *text_with(const renamed *r, const char *file, const char *bytes, size_t size,
                       size_t *out_size) {
    const size_t length = strlen(r->name);
    size_t room = size + 1;
    for (size_t i = 0; i < r->places->count; i++) room += length;
    char *text = lsp_memory(room), *out = text;
    size_t from = 0;
    for (size_t i = 0; i < r->places->count; i++) { // in the order of the text
        const lsp_place *p = &r->places->list[i];
        if (strcmp(p->file, file) != 0 || p->offset < from || p->offset + p->length > size)
            continue;
        memcpy(out, bytes + from, p->offset - from), out += p->offset - from;
        memcpy(out, r->name, length), out += length;
        from = p->offset + p->length;
    }
    memcpy(out, bytes + from, size - from), out += size - from;
    *out_size = (size_t)(out - text);
    return text;
}

static const char *renamed_text(const char *path, size_t *size, void *data) {
    renamed *r = data;
    const lsp_document *open = lsp_find_path(r->server, path);
    const char *bytes = open ? open->bytes : NULL;
    size_t length = open ? open->size : 0;
    for (size_t i = 0; i < r->places->count && !bytes; i++)
        if (strcmp(r->places->list[i].file, path) == 0)
            bytes = r->places->list[i].bytes, length = r->places->list[i].size;
    if (!bytes) return NULL;
    char **more = realloc(r->made, (r->count + 1) * sizeof *more);
    if (!more) exit(HAMEL_LIMIT);
    r->made = more;
    return r->made[r->count++] = text_with(r, path, bytes, length, size);
}

// Does every name stand for the same as before, with as many messages?
static bool same_meaning(const lsp_document *d, const hamel_document *other,
                         const hamel_context *ctx) {
    hamel_use a, b;
    hamel_message m;
    size_t i = 0;
    bool left, right;
    do {
        left = hamel_document_use_at(d->read, i, &a), right = hamel_document_use_at(other, i, &b);
        if (left && right && (a.symbol != b.symbol || a.declares != b.declares)) return false;
        i++;
    } while (left && right);
    if (left || right) return false;
    for (i = 0; hamel_message_at(d->ctx, i, &m) && hamel_message_at(ctx, i, &m);) i++;
    return !hamel_message_at(d->ctx, i, &m) && !hamel_message_at(ctx, i, &m);
}

static bool keeps_meaning(lsp_server *s, const lsp_places *p, const char *name) {
    renamed r = {.places = p, .name = name, .server = s};
    bool same = true;
    for (lsp_document *d = s->documents; d && same; d = d->next) {
        if (!d->read) continue;
        size_t size;
        char *text = text_with(&r, d->path, d->bytes, d->size, &size);
        hamel_document *other;
        hamel_status status;
        hamel_context *ctx = lsp_read(s, d, text, size, renamed_text, &r, &other, &status);
        same = ctx && other && status == d->status && same_meaning(d, other, ctx);
        hamel_context_destroy(ctx);
        free(text);
    }
    for (size_t i = 0; i < r.count; i++) free(r.made[i]);
    free(r.made);
    return same;
}

// --- requests ------------------------------------------------------------------------------------

// Why nothing can be renamed here; NULL: it can
static const char *refusal(lsp_server *s, const lsp_cursor *c, const lsp_places *p) {
    hamel_place broken;
    if (!p->symbol.has_name) return "this has no name that could be changed";
    for (const lsp_document *d = s->documents; d; d = d->next)
        if (d == c->root && hamel_document_broken_at(d->read, 0, &broken))
            return "a statement cannot be read: correct it first, because names in it are not "
                   "known";
    for (size_t i = 0; i < p->count; i++) {
        char *uri = lsp_file_uri(s, p->list[i].file);
        const bool none = !uri;
        free(uri);
        if (none) return "it is declared or used in a model of the library";
    }
    return NULL;
}

void lsp_prepare_rename(lsp_server *s, const sent_value *id, const sent_value *params) {
    lsp_cursor c;
    lsp_places p;
    if (!lsp_cursor_of(s, params, &c) || !lsp_places_of(s, &c, &p)) {
        lsp_answer_null(s, id);
        return;
    }
    const char *why = refusal(s, &c, &p);
    if (why) {
        lsp_refuse(s, id, LSP_REQUEST_FAILED, why);
    } else {
        lsp_out o;
        FILE *out = lsp_open_result(&o, id);
        for (size_t i = 0; i < p.count; i++) {
            const lsp_place *at = &p.list[i];
            if (strcmp(at->file, c.document->path) != 0 || c.offset < at->offset ||
                c.offset > at->offset + at->length)
                continue;
            fputs("{\"range\":", out);
            lsp_write_range(&c.document->lines, at->offset, at->length, out);
            fputs(",\"placeholder\":", out);
            sent_quote(out, at->bytes + at->offset, at->length);
            putc('}', out);
            break;
        }
        lsp_close(s, &o);
    }
    free(p.list);
}

static void write_edits(lsp_server *s, const lsp_places *p, const char *name, FILE *out) {
    fputs("{\"changes\":{", out);
    for (size_t i = 0; i < p->count;) {
        const char *file = p->list[i].file;
        char *uri = lsp_file_uri(s, file);
        lsp_lines l = lsp_lines_of(p->list[i].bytes, p->list[i].size);
        fputs(i ? "," : "", out);
        sent_quote(out, uri, strlen(uri));
        fputs(":[", out);
        for (const char *comma = ""; i < p->count && strcmp(p->list[i].file, file) == 0; i++) {
            fprintf(out, "%s{\"range\":", comma);
            lsp_write_range(&l, p->list[i].offset, p->list[i].length, out);
            fputs(",\"newText\":", out);
            sent_quote(out, name, strlen(name));
            putc('}', out);
            comma = ",";
        }
        putc(']', out);
        lsp_lines_release(&l);
        free(uri);
    }
    fputs("}}", out);
}

void lsp_rename(lsp_server *s, const sent_value *id, const sent_value *params) {
    const sent_value *wanted = sent_member(params, "newName");
    lsp_cursor c;
    lsp_places p;
    const char *why = NULL;
    if (!sent_text(wanted) || strlen(wanted->text) != wanted->length) {
        lsp_refuse(s, id, LSP_INVALID_PARAMS, "expected a new name");
        return;
    }
    if (!lsp_cursor_of(s, params, &c) || !lsp_places_of(s, &c, &p)) {
        lsp_refuse(s, id, LSP_REQUEST_FAILED, "there is no name here");
        return;
    }
    why = refusal(s, &c, &p);
    if (!why && hamel_document_name_fits(c.root->read, p.number, wanted->text, &why) && !why)
        why = "the name cannot be looked at";
    if (!why && !keeps_meaning(s, &p, wanted->text))
        why = "with this name the text would mean something else";
    if (why) {
        lsp_refuse(s, id, LSP_REQUEST_FAILED, why);
    } else {
        lsp_out o;
        write_edits(s, &p, wanted->text, lsp_open_result(&o, id));
        lsp_close(s, &o);
    }
    free(p.list);
}
