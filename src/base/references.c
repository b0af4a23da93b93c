// The sources, and how they are written.
#include "base/references.h"

#include <ctype.h>
#include <string.h>

static const reference references[] = {
#define REFERENCE(...) {__VA_ARGS__},
#include "base/references.def"
#undef REFERENCE
};

enum { COUNT = sizeof references / sizeof *references };

uint32_t reference_count(void) { return COUNT; }
const reference *reference_at(uint32_t index) { return &references[index]; }

static bool holds_word(const char *words, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = strstr(words, word); at; at = strstr(at + 1, word))
        if ((at == words || !isalnum((unsigned char)at[-1])) && !isalnum((unsigned char)at[length]))
            return true;
    return false;
}

// "Gauss 1829" by `cite`, "M (16)" by `key`
bool reference_is_named(const reference *r, const char *words) {
    return holds_word(words, r->cite) || holds_word(words, r->key);
}

// --- one paragraph -------------------------------------------------------------------------------

// "Ramirez, Rafael and Sadovskaia, Natalia" as it is: names are kept in BibTeX's order
void reference_write(const reference *r, text *out) {
    const char *where = r->journal ? r->journal : r->booktitle;
    text_append(out, r->author);
    if (r->year) text_format(out, " (%s)", r->year);
    text_format(out, "%s %s.", text_string(out)[out->length - 1] == '.' ? "" : ".", r->title);
    if (where) text_format(out, " %s%s", r->booktitle ? "In: " : "", where);
    if (r->volume) text_format(out, " %s", r->volume);
    if (r->number) text_format(out, "(%s)", r->number);
    if (r->pages) text_format(out, ", %s", r->pages);
    if (where) text_char(out, '.');
    if (r->publisher) text_format(out, " %s%s", r->publisher, r->address ? "," : ".");
    if (r->address) text_format(out, " %s.", r->address);
    if (r->doi) text_format(out, " doi:%s.", r->doi);
    if (r->note) text_format(out, " %s.", r->note);
}

// --- BibTeX --------------------------------------------------------------------------------------

// "1-5" as "1--5"; what TeX takes for a command is escaped
static void write_field(const char *name, const char *value, bool is_range, text *out) {
    if (!value) return;
    text_format(out, ",\n  %s = {", name);
    for (const char *c = value; *c; c++) {
        if (strchr("&%$#_", *c)) text_char(out, '\\');
        text_char(out, *c);
        if (is_range && *c == '-') text_char(out, '-');
    }
    text_char(out, '}');
}

void reference_write_bibtex(const reference *r, text *out) {
    text_format(out, "@%s{%s", r->type, r->key);
    write_field("author", r->author, false, out);
    write_field("title", r->title, false, out);
    write_field("year", r->year, false, out);
    write_field("journal", r->journal, false, out);
    write_field("booktitle", r->booktitle, false, out);
    write_field("volume", r->volume, false, out);
    write_field("number", r->number, false, out);
    write_field("pages", r->pages, true, out);
    write_field("publisher", r->publisher, false, out);
    write_field("address", r->address, false, out);
    write_field("doi", r->doi, false, out);
    write_field("note", r->note, false, out);
    text_append(out, "\n}\n");
}
