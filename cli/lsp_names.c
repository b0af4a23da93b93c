// Where the name at the cursor is declared and used.
#include "lsp.h"

#include <stdlib.h>
#include <string.h>

// --- the cursor ----------------------------------------------------------------------------------

bool lsp_cursor_of(lsp_server *s, const sent_value *params, lsp_cursor *out) {
    lsp_document *d = lsp_find(s, sent_text(sent_at(params, "textDocument", "uri", NULL)));
    const sent_value *position = sent_member(params, "position");
    lsp_refresh(s);
    *out = (lsp_cursor){d, d ? lsp_root_of(s, d) : NULL, 0};
    return d && out->root->read && lsp_offset_of(&d->lines, position, &out->offset);
}

char *lsp_file_uri(const lsp_server *s, const char *file) {
    const lsp_document *open = lsp_find_path(s, file);
    if (open) return lsp_copy(open->uri, strlen(open->uri));
    const bool is_uri = strchr(file, ':') && strcspn(file, ":") < strcspn(file, "/");
    return *file == '/' ? lsp_uri_of(file) : is_uri ? lsp_copy(file, strlen(file)) : NULL;
}

static void write_location(const lsp_lines *l, const lsp_place *p, const char *uri, FILE *out) {
    fputs("{\"uri\":", out);
    sent_quote(out, uri, strlen(uri));
    fputs(",\"range\":", out);
    lsp_write_range(l, p->offset, p->length, out);
    putc('}', out);
}

void lsp_write_location(const lsp_place *p, const char *uri, FILE *out) {
    lsp_lines l = lsp_lines_of(p->bytes, p->size);
    write_location(&l, p, uri, out);
    lsp_lines_release(&l);
}

// --- places --------------------------------------------------------------------------------------

static bool text_of(const hamel_document *read, const char *file, hamel_document_file *out) {
    for (size_t i = 0; hamel_document_file_at(read, i, out); i++)
        if (strcmp(out->file, file) == 0) return true;
    return false;
}

static void add(lsp_places *p, const hamel_document *read, const hamel_use *u) {
    hamel_document_file f;
    if (!u->at.file || !text_of(read, u->at.file, &f)) return;
    if (p->count == p->room) {
        p->room = 2 * p->room + 16;
        lsp_place *more = realloc(p->list, p->room * sizeof *more);
        if (!more) exit(HAMEL_LIMIT);
        p->list = more;
    }
    p->list[p->count++] =
        (lsp_place){f.file, f.bytes, f.size, u->at.offset, u->at.length, u->declares};
}

// The symbol whose name stands at a place; false: there is none
static bool symbol_at(const hamel_document *read, const char *file, size_t offset, size_t *out) {
    hamel_use u;
    for (size_t i = 0; hamel_document_use_at(read, i, &u); i++) {
        if (offset < u.at.offset || offset > u.at.offset + u.at.length ||
            strcmp(u.at.file, file) != 0)
            continue;
        *out = u.symbol;
        return true;
    }
    return false;
}

static bool same_place(const hamel_place *a, const hamel_place *b) {
    return a->file && b->file && a->offset == b->offset && strcmp(a->file, b->file) == 0;
}

// All uses in one reading of what is declared at this place
static void add_uses(lsp_places *p, const hamel_document *read) {
    hamel_symbol other;
    hamel_use u;
    for (size_t i = 0; hamel_document_symbol_at(read, i, &other); i++) {
        if (!same_place(&other.at, &p->symbol.at)) continue;
        for (size_t k = 0; hamel_document_use_at(read, k, &u); k++)
            if (u.symbol == i) add(p, read, &u);
    }
}

static int compare_places(const void *a, const void *b) {
    const lsp_place *x = a, *y = b;
    const int files = strcmp(x->file, y->file);
    return files ? files : x->offset < y->offset ? -1 : x->offset > y->offset;
}

// Several texts may include the same file: each place once, in the order of files and texts.
static void put_in_order(lsp_places *p) {
    size_t kept = 0;
    if (p->count) qsort(p->list, p->count, sizeof *p->list, compare_places);
    for (size_t i = 0; i < p->count; i++)
        if (!kept || compare_places(&p->list[kept - 1], &p->list[i]) != 0)
            p->list[kept++] = p->list[i];
    p->count = kept;
}

bool lsp_places_of(lsp_server *s, const lsp_cursor *c, lsp_places *out) {
    *out = (lsp_places){0};
    if (!symbol_at(c->root->read, c->document->path, c->offset, &out->number)) return false;
    hamel_document_symbol_at(c->root->read, out->number, &out->symbol);
    add_uses(out, c->root->read);
    for (lsp_document *d = s->documents; d; d = d->next)
        if (d != c->root && d->read) add_uses(out, d->read);
    put_in_order(out);
    return true;
}

// --- requests ------------------------------------------------------------------------------------

static void write_locations(lsp_server *s, const lsp_places *p, bool (*wanted)(const lsp_place *),
                            FILE *out) {
    bool some = false;
    putc('[', out);
    for (size_t i = 0; i < p->count;) {
        const char *file = p->list[i].file;
        char *uri = lsp_file_uri(s, file);
        lsp_lines l = lsp_lines_of(p->list[i].bytes, p->list[i].size);
        for (; i < p->count && strcmp(p->list[i].file, file) == 0; i++) {
            if (!uri || !wanted(&p->list[i])) continue;
            fputs(some ? "," : "", out);
            write_location(&l, &p->list[i], uri, out);
            some = true;
        }
        lsp_lines_release(&l);
        free(uri);
    }
    putc(']', out);
}

static bool declares(const lsp_place *p) { return p->declares; }
static bool uses(const lsp_place *p) { return !p->declares; }
static bool always(const lsp_place *p) { return p; }

// On the string behind `include`: the file it names
static bool follow_link(lsp_server *s, const sent_value *id, const lsp_cursor *c) {
    hamel_document_link link;
    for (size_t i = 0; hamel_document_link_at(c->root->read, i, &link); i++) {
        hamel_document_file f;
        if (strcmp(link.at.file, c->document->path) != 0 || c->offset < link.at.offset ||
            c->offset > link.at.offset + link.at.length || !text_of(c->root->read, link.path, &f))
            continue;
        char *uri = lsp_file_uri(s, f.file);
        if (!uri) continue;
        lsp_out o;
        FILE *out = lsp_open_result(&o, id);
        lsp_write_location(&(lsp_place){f.file, f.bytes, f.size, 0, 0, true}, uri, out);
        lsp_close(s, &o);
        free(uri);
        return true;
    }
    return false;
}

static void answer_places(lsp_server *s, const sent_value *id, const sent_value *params,
                          bool (*wanted)(const lsp_place *)) {
    lsp_cursor c;
    lsp_places p;
    if (!lsp_cursor_of(s, params, &c)) {
        lsp_answer_null(s, id);
        return;
    }
    if (wanted == declares && follow_link(s, id, &c)) return;
    if (!lsp_places_of(s, &c, &p)) {
        lsp_answer_null(s, id);
        return;
    }
    lsp_out o;
    write_locations(s, &p, wanted, lsp_open_result(&o, id));
    lsp_close(s, &o);
    free(p.list);
}

void lsp_definition(lsp_server *s, const sent_value *id, const sent_value *params) {
    answer_places(s, id, params, declares);
}

void lsp_references(lsp_server *s, const sent_value *id, const sent_value *params) {
    const sent_value *with = sent_at(params, "context", "includeDeclaration", NULL);
    answer_places(s, id, params, with && with->kind == SENT_FALSE ? uses : always);
}

void lsp_highlight(lsp_server *s, const sent_value *id, const sent_value *params) {
    lsp_cursor c;
    lsp_places p;
    if (!lsp_cursor_of(s, params, &c) || !lsp_places_of(s, &c, &p)) {
        lsp_answer_null(s, id);
        return;
    }
    lsp_out o;
    FILE *out = lsp_open_result(&o, id);
    bool some = false;
    putc('[', out);
    for (size_t i = 0; i < p.count; i++) {
        if (strcmp(p.list[i].file, c.document->path) != 0) continue;
        fputs(some ? ",{\"range\":" : "{\"range\":", out);
        lsp_write_range(&c.document->lines, p.list[i].offset, p.list[i].length, out);
        fprintf(out, ",\"kind\":%d}", p.list[i].declares ? 3 : 2);
        some = true;
    }
    putc(']', out);
    lsp_close(s, &o);
    free(p.list);
}
