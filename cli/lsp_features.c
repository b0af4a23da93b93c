// What is at the cursor, what can be written there, and what a text holds.
#include "lsp.h"

#include <stdlib.h>
#include <string.h>

// --- hover ---------------------------------------------------------------------------------------

void lsp_hover(lsp_server *s, const sent_value *id, const sent_value *params) {
    lsp_cursor c;
    hamel_place at = {0};
    char *words = NULL;
    if (lsp_cursor_of(s, params, &c))
        hamel_document_explain(c.root->read, c.document->path, c.offset, &at, &words);
    if (!words) {
        lsp_answer_null(s, id);
        return;
    }
    lsp_out o;
    FILE *out = lsp_open_result(&o, id);
    fputs("{\"contents\":{\"kind\":\"markdown\",\"value\":", out);
    sent_quote(out, words, strlen(words));
    fputs("},\"range\":", out);
    lsp_write_range(&c.document->lines, at.offset, at.length, out);
    putc('}', out);
    lsp_close(s, &o);
    hamel_free(words);
}

// --- completion ----------------------------------------------------------------------------------

// A kind of the library in the numbers of the protocol
static int of_kind(const char *kind, const char *const *kinds, const int *numbers, int otherwise) {
    for (int i = 0; kinds[i]; i++)
        if (strcmp(kinds[i], kind) == 0) return numbers[i];
    return otherwise;
}

static int completion_kind(const char *kind) {
    static const char *const kinds[] = {"statement", "word",     "function", "constant",
                                        "id",        "body",     "point",    "constraint",
                                        "parameter", "velocity", NULL};
    static const int numbers[] = {14, 14, 3, 21, 12, 7, 7, 18, 21, 6};
    return of_kind(kind, kinds, numbers, 6); // 6: a variable
}

static void write_candidate(const hamel_candidate *k, const lsp_lines *l, const hamel_place *at,
                            FILE *out) {
    fputs("{\"label\":", out);
    sent_quote(out, k->name, strlen(k->name));
    fprintf(out, ",\"kind\":%d,\"detail\":", completion_kind(k->kind));
    const char *detail = k->written ? k->written : k->about ? k->about : k->kind;
    sent_quote(out, detail, strlen(detail));
    if (k->written && k->about) {
        fputs(",\"documentation\":", out);
        sent_quote(out, k->about, strlen(k->about));
    }
    fputs(",\"textEdit\":{\"range\":", out);
    lsp_write_range(l, at->offset, at->length, out);
    fputs(",\"newText\":", out);
    sent_quote(out, k->name, strlen(k->name));
    fputs("}}", out);
}

void lsp_completion(lsp_server *s, const sent_value *id, const sent_value *params) {
    lsp_cursor c;
    hamel_place at = {0};
    const hamel_candidate *list = NULL;
    size_t count = 0;
    if (lsp_cursor_of(s, params, &c))
        hamel_document_complete(c.root->read, c.document->path, c.offset, &at, &list, &count);
    lsp_out o;
    FILE *out = lsp_open_result(&o, id);
    fputs("{\"isIncomplete\":false,\"items\":[", out);
    for (size_t i = 0; i < count; i++) {
        fputs(i ? "," : "", out);
        write_candidate(&list[i], &c.document->lines, &at, out);
    }
    fputs("]}", out);
    lsp_close(s, &o);
}

// --- all of a text -------------------------------------------------------------------------------

// The document of a request, all read; NULL after answering null
static lsp_document *document_of(lsp_server *s, const sent_value *id, const sent_value *params,
                                 lsp_document **root) {
    lsp_document *d = lsp_find(s, sent_text(sent_at(params, "textDocument", "uri", NULL)));
    lsp_refresh(s);
    *root = d ? lsp_root_of(s, d) : NULL;
    if (d && (*root)->read) return d;
    lsp_answer_null(s, id);
    return NULL;
}

static int symbol_kind(const char *kind) {
    static const char *const kinds[] = {"constant",   "parameter", "coordinate", "given",  "input",
                                        "function",   "body",      "point",      "system", "claim",
                                        "constraint", "invariant", "event",      NULL};
    static const int numbers[] = {14, 14, 8, 13, 13, 12, 5, 5, 2, 17, 11, 17, 24};
    return of_kind(kind, kinds, numbers, 13);
}

void lsp_symbols(lsp_server *s, const sent_value *id, const sent_value *params) {
    lsp_document *root, *d = document_of(s, id, params, &root);
    if (!d) return;
    lsp_out o;
    FILE *out = lsp_open_result(&o, id);
    hamel_symbol y;
    bool some = false;
    putc('[', out);
    for (size_t i = 0; hamel_document_symbol_at(root->read, i, &y); i++) {
        if (y.is_local || !y.at.file || strcmp(y.at.file, d->path) != 0) continue;
        fputs(some ? ",{\"name\":" : "{\"name\":", out);
        sent_quote(out, y.name, strlen(y.name));
        fputs(",\"detail\":", out);
        sent_quote(out, y.kind, strlen(y.kind));
        fprintf(out, ",\"kind\":%d,\"range\":", symbol_kind(y.kind));
        lsp_write_range(&d->lines, y.whole.offset, y.whole.length, out);
        fputs(",\"selectionRange\":", out);
        lsp_write_range(&d->lines, y.at.offset, y.at.length, out);
        putc('}', out);
        some = true;
    }
    putc(']', out);
    lsp_close(s, &o);
}

void lsp_links(lsp_server *s, const sent_value *id, const sent_value *params) {
    lsp_document *root, *d = document_of(s, id, params, &root);
    if (!d) return;
    lsp_out o;
    FILE *out = lsp_open_result(&o, id);
    hamel_document_link link;
    bool some = false;
    putc('[', out);
    for (size_t i = 0; hamel_document_link_at(root->read, i, &link); i++) {
        if (strcmp(link.at.file, d->path) != 0) continue;
        char *uri = lsp_file_uri(s, link.path);
        if (!uri) continue;
        fputs(some ? ",{\"range\":" : "{\"range\":", out);
        lsp_write_range(&d->lines, link.at.offset, link.at.length, out);
        fputs(",\"target\":", out);
        sent_quote(out, uri, strlen(uri));
        putc('}', out);
        some = true;
        free(uri);
    }
    putc(']', out);
    lsp_close(s, &o);
}

// --- layout --------------------------------------------------------------------------------------

// The whole text as `hamel fmt` writes it; a text that cannot be read stays as it is.
void lsp_format(lsp_server *s, const sent_value *id, const sent_value *params) {
    lsp_document *d = lsp_find(s, sent_text(sent_at(params, "textDocument", "uri", NULL)));
    hamel_context *ctx = d ? hamel_context_create() : NULL;
    char *laid_out = NULL;
    size_t size = 0;
    if (ctx && !hamel_context_limit(ctx, &s->limits))
        hamel_text_format(ctx, d->path, d->bytes, d->size, 0, &laid_out, &size);
    lsp_out o;
    FILE *out = lsp_open_result(&o, id);
    putc('[', out);
    if (laid_out && (size != d->size || memcmp(laid_out, d->bytes, size) != 0)) {
        fputs("{\"range\":", out);
        lsp_write_range(&d->lines, 0, d->size, out);
        fputs(",\"newText\":", out);
        sent_quote(out, laid_out, size);
        putc('}', out);
    }
    putc(']', out);
    lsp_close(s, &o);
    hamel_free(laid_out);
    hamel_context_destroy(ctx);
}

// --- semantic tokens -----------------------------------------------------------------------------

const char lsp_token_types[] =
    "[\"variable\",\"parameter\",\"property\",\"function\",\"class\",\"event\",\"enumMember\"]";

static int token_type(const char *kind) {
    static const char *const kinds[] = {"parameter",  "constant", "coordinate", "quasi-velocity",
                                        "function",   "body",     "point",      "event",
                                        "constraint", "argument", "index",      NULL};
    static const int numbers[] = {6, 6, 0, 0, 3, 4, 4, 5, 5, 1, 1};
    return of_kind(kind, kinds, numbers, 2);
}

// Each token is told by its distance from the one before.
void lsp_tokens(lsp_server *s, const sent_value *id, const sent_value *params) {
    lsp_document *root, *d = document_of(s, id, params, &root);
    if (!d) return;
    lsp_out o;
    FILE *out = lsp_open_result(&o, id);
    lsp_position before = {0, 0};
    hamel_use u;
    hamel_symbol y;
    bool some = false;
    fputs("{\"data\":[", out);
    for (size_t i = 0; hamel_document_use_at(root->read, i, &u); i++) {
        if (strcmp(u.at.file, d->path) != 0) continue;
        if (!hamel_document_symbol_at(root->read, u.symbol, &y) || !y.has_name) continue;
        const lsp_position from = lsp_position_of(&d->lines, u.at.offset),
                           to = lsp_position_of(&d->lines, u.at.offset + u.at.length);
        const size_t line = from.line - before.line;
        fprintf(out, "%s%zu,%zu,%zu,%d,%d", some ? "," : "", line,
                line ? from.unit : from.unit - before.unit, to.unit - from.unit, token_type(y.kind),
                u.declares);
        before = from;
        some = true;
    }
    fputs("]}", out);
    lsp_close(s, &o);
}
