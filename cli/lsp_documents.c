// Texts that are open in the editor: what the editor says of them, and reading them.
#include "lsp.h"

#include <stdlib.h>
#include <string.h>

lsp_document *lsp_find(const lsp_server *s, const char *uri) {
    lsp_document *d = uri ? s->documents : NULL;
    while (d && strcmp(d->uri, uri) != 0) d = d->next;
    return d;
}

lsp_document *lsp_find_path(const lsp_server *s, const char *path) {
    lsp_document *d = s->documents;
    while (d && strcmp(d->path, path) != 0) d = d->next;
    return d;
}

// --- reading -------------------------------------------------------------------------------------

static const char *editor_text(const char *path, size_t *size, void *data) {
    const lsp_document *d = lsp_find_path(data, path);
    if (!d) return NULL;
    *size = d->size;
    return d->bytes;
}

hamel_context *lsp_read(const lsp_server *s, const lsp_document *d, const char *bytes, size_t size,
                        lsp_texts texts, void *data, hamel_document **out, hamel_status *status) {
    hamel_context *ctx = hamel_context_create();
    *out = NULL, *status = HAMEL_LIMIT;
    if (!ctx || hamel_context_limit(ctx, &s->limits)) return ctx;
    *status = hamel_document_read(ctx, d->path, bytes, size, texts ? texts : editor_text,
                                  texts ? data : (void *)s, out);
    return ctx;
}

static bool includes(const lsp_document *d, const char *path) {
    hamel_document_file f;
    hamel_document_link link;
    for (size_t i = 1; hamel_document_file_at(d->read, i, &f); i++)
        if (strcmp(f.file, path) == 0) return true;
    for (size_t i = 0; hamel_document_link_at(d->read, i, &link); i++) // that was not found, too
        if (strcmp(link.path, path) == 0) return true;
    return false;
}

// The text of a path is another one: it is to be read, and so is what includes it.
static void touch(lsp_server *s, const char *path) {
    for (lsp_document *d = s->documents; d; d = d->next) {
        if (strcmp(d->path, path) != 0 && !includes(d, path)) continue;
        d->is_dirty = true;
        lsp_forget_verdicts(d);
        if (s->child && strcmp(s->child_uri, d->uri) == 0) lsp_stop_child(s);
        lsp_drop_lenses(s, d->uri, LSP_CONTENT_MODIFIED, "the text was changed");
    }
}

void lsp_touch_all(lsp_server *s) {
    for (lsp_document *d = s->documents; d; d = d->next) touch(s, d->path);
}

static void unread(lsp_document *d) {
    if (d->ctx) hamel_context_destroy(d->ctx);
    d->ctx = NULL, d->read = NULL;
}

lsp_document *lsp_root_of(const lsp_server *s, lsp_document *d) {
    hamel_document_file f;
    for (lsp_document *r = s->documents; r; r = r->next)
        for (size_t i = 1; r != d && hamel_document_file_at(r->read, i, &f); i++)
            if (strcmp(f.file, d->path) == 0) return r;
    return d;
}

// --- what is wrong -------------------------------------------------------------------------------

static void write_message(const lsp_lines *l, const hamel_message *m, FILE *out) {
    static const int severity[] = {1, 2, 3};
    size_t offset = m->at.offset, length = m->at.length;
    if (offset > l->size) offset = l->size, length = 0;
    if (!length && offset && l->bytes[offset - 1] != '\n') { // the character before, to be seen
        do offset--, length++;
        while (offset && ((unsigned char)l->bytes[offset] & 0xC0) == 0x80);
    }
    fputs("{\"range\":", out);
    lsp_write_range(l, offset, length, out);
    fprintf(out, ",\"severity\":%d,\"source\":\"hamel\",\"message\":", severity[m->severity]);
    if (m->help) {
        char *both = lsp_memory(strlen(m->message) + strlen(m->help) + 2);
        sprintf(both, "%s\n%s", m->message, m->help);
        sent_quote(out, both, strlen(both));
        free(both);
    } else {
        sent_quote(out, m->message, strlen(m->message));
    }
}

// The text of a file that a document is made of; false where it is none of them
static bool text_of(const lsp_document *d, const char *file, hamel_document_file *out) {
    for (size_t i = 0; hamel_document_file_at(d->read, i, out); i++)
        if (strcmp(out->file, file) == 0) return true;
    if (strcmp(file, d->path) != 0) return false;
    *out = (hamel_document_file){d->path, d->bytes, d->size}; // it could not be read at all
    return true;
}

static void write_related(const lsp_server *s, const lsp_document *d, const hamel_message *note,
                          FILE *out) {
    hamel_document_file f;
    char *uri = note->at.file ? lsp_file_uri(s, note->at.file) : NULL;
    lsp_place p = {d->path, d->bytes, d->size, 0, 0, false};
    const bool found = uri && text_of(d, note->at.file, &f);
    if (found) p = (lsp_place){f.file, f.bytes, f.size, note->at.offset, note->at.length, false};
    fputs("{\"location\":", out);
    lsp_write_location(&p, found ? uri : d->uri, out);
    fputs(",\"message\":", out);
    sent_quote(out, note->message, strlen(note->message));
    putc('}', out);
    free(uri);
}

// The messages of one reading that are about this file, with the notes behind each; what is about
// no file stands at the beginning of the document.
static void write_messages(const lsp_server *s, const lsp_document *d, const char *path, bool *some,
                           FILE *out) {
    hamel_document_file f;
    hamel_message m, note;
    if (!text_of(d, path, &f)) return;
    lsp_lines l = lsp_lines_of(f.bytes, f.size);
    for (size_t i = 0; hamel_message_at(d->ctx, i, &m); i++) {
        const char *file = m.at.file && text_of(d, m.at.file, &f) ? m.at.file : d->path;
        if (strcmp(file, path) != 0 || (m.severity == HAMEL_NOTE && i)) continue;
        if (file != m.at.file) m.at = (hamel_place){d->path, 0, 0};
        fputs(*some ? "," : "", out);
        *some = true;
        write_message(&l, &m, out);
        bool related = false;
        for (size_t k = i + 1; hamel_message_at(d->ctx, k, &note) && note.severity == HAMEL_NOTE;
             k++) {
            fputs(related ? "," : ",\"relatedInformation\":[", out);
            write_related(s, d, &note, out);
            related = true;
        }
        fputs(related ? "]}" : "}", out);
    }
    lsp_lines_release(&l);
}

static lsp_shown *shown_of(lsp_server *s, const char *path) {
    lsp_shown *v = s->shown;
    while (v && strcmp(v->path, path) != 0) v = v->next;
    if (v) return v;
    v = lsp_memory(sizeof *v);
    v->path = lsp_copy(path, strlen(path));
    v->json = lsp_copy("", 0);
    v->next = s->shown;
    return s->shown = v;
}

static void publish(lsp_server *s, const char *path, const char *json) {
    char *uri = lsp_file_uri(s, path);
    if (!uri) return;
    lsp_out o;
    FILE *out = lsp_open(&o);
    fputs("\"method\":\"textDocument/publishDiagnostics\",\"params\":{\"uri\":", out);
    sent_quote(out, uri, strlen(uri));
    fprintf(out, ",\"diagnostics\":[%s]}", json);
    lsp_close(s, &o);
    free(uri);
}

// What all readings say of a file; a part of another text has no errors of its own.
static void show_file(lsp_server *s, const char *path, bool always) {
    lsp_shown *v = shown_of(s, path);
    if (v->is_current) return;
    v->is_current = true;
    lsp_document *own = lsp_find_path(s, path);
    const bool is_part = own && lsp_root_of(s, own) != own;
    char *json = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&json, &size);
    if (!out) exit(HAMEL_LIMIT);
    bool some = false;
    for (lsp_document *d = s->documents; d; d = d->next)
        if (d != own || !is_part) write_messages(s, d, path, &some, out);
    fclose(out);
    if (always || strcmp(v->json, json) != 0) publish(s, path, json);
    free(v->json);
    v->json = json;
}

void lsp_refresh(lsp_server *s) {
    bool any = false;
    for (lsp_document *d = s->documents; d; d = d->next) {
        if (!d->is_dirty) continue;
        unread(d);
        d->ctx = lsp_read(s, d, d->bytes, d->size, NULL, NULL, &d->read, &d->status);
        any = true;
    }
    if (!any) return;
    for (lsp_shown *v = s->shown; v; v = v->next) v->is_current = false;
    for (lsp_document *d = s->documents; d; d = d->next) {
        hamel_document_file f;
        show_file(s, d->path, d->is_dirty);
        for (size_t i = 1; hamel_document_file_at(d->read, i, &f); i++) show_file(s, f.file, false);
        d->is_dirty = false;
    }
    for (lsp_shown *v = s->shown; v; v = v->next) show_file(s, v->path, false);
    lsp_judge_waiting(s); // the child may have been stopped, for its text is another one
}

// --- what the editor says ------------------------------------------------------------------------

static void set_text(lsp_document *d, char *bytes, size_t size) {
    lsp_lines_release(&d->lines);
    free(d->bytes);
    d->bytes = bytes, d->size = size;
    d->lines = lsp_lines_of(bytes, size);
}

void lsp_did_open(lsp_server *s, const sent_value *params) {
    const sent_value *item = sent_member(params, "textDocument"), *text = sent_member(item, "text");
    const char *uri = sent_text(sent_member(item, "uri"));
    if (!uri || !sent_text(text)) return;
    lsp_document *d = lsp_find(s, uri);
    if (!d) {
        d = lsp_memory(sizeof *d);
        d->uri = lsp_copy(uri, strlen(uri));
        d->path = lsp_path_of(uri);
        d->next = s->documents;
        s->documents = d;
    }
    set_text(d, lsp_copy(text->text, text->length), text->length);
    touch(s, d->path);
}

static void change(lsp_document *d, const sent_value *c) {
    const sent_value *range = sent_member(c, "range"), *text = sent_member(c, "text");
    size_t from = 0, to = d->size;
    if (!sent_text(text)) return;
    if (range && (!lsp_offset_of(&d->lines, sent_member(range, "start"), &from) ||
                  !lsp_offset_of(&d->lines, sent_member(range, "end"), &to)))
        return;
    if (to < from) to = from;
    const size_t size = from + text->length + (d->size - to);
    char *bytes = lsp_memory(size + 1);
    memcpy(bytes, d->bytes, from);
    memcpy(bytes + from, text->text, text->length);
    memcpy(bytes + from + text->length, d->bytes + to, d->size - to);
    set_text(d, bytes, size);
}

void lsp_did_change(lsp_server *s, const sent_value *params) {
    lsp_document *d = lsp_find(s, sent_text(sent_at(params, "textDocument", "uri", NULL)));
    const sent_value *changes = sent_member(params, "contentChanges");
    if (!d || !changes || changes->kind != SENT_ARRAY) return;
    for (const sent_value *c = changes->first; c; c = c->next) change(d, c);
    touch(s, d->path);
}

void lsp_forget_document(lsp_server *s, lsp_document *d) {
    lsp_document **at = &s->documents;
    while (*at != d) at = &(*at)->next;
    *at = d->next;
    if (s->child && strcmp(s->child_uri, d->uri) == 0) lsp_stop_child(s);
    lsp_drop_lenses(s, d->uri, LSP_CONTENT_MODIFIED, "the text was closed");
    unread(d);
    lsp_forget_verdicts(d);
    lsp_lines_release(&d->lines);
    free(d->uri), free(d->path), free(d->bytes);
    free(d);
}

// What is wrong with it is no longer shown, unless another text includes it.
void lsp_did_close(lsp_server *s, const sent_value *params) {
    lsp_document *d = lsp_find(s, sent_text(sent_at(params, "textDocument", "uri", NULL)));
    if (!d) return;
    char *path = lsp_copy(d->path, strlen(d->path));
    touch(s, path);
    lsp_forget_document(s, d);
    for (lsp_shown *v = s->shown; v; v = v->next) v->is_current = false;
    show_file(s, path, true);
    free(path);
    lsp_judge_waiting(s);
}
