// What happened between the pieces of a motion: rows of the summary, a table, and the data of which
// the script makes a strip of modes.
#include "report/page.h"

#include <math.h>
#include <string.h>

bool changes_tell(const model *m, const char *event) {
    for (uint32_t i = 0; i < m->contacts_count; i++) {
        const size_t length = strlen(m->contacts[i].name);
        if (strncmp(event, m->contacts[i].name, length) == 0 && event[length] == '.') return true;
    }
    for (uint32_t i = 0; i < m->resets_count; i++)
        if (strcmp(event, m->resets[i].name) == 0) return true;
    return false;
}

// --- in words ------------------------------------------------------------------------------------

enum { HEAD = 24, TAIL = 12 }; // rows of a long table

void section_changes_summary(const model *m, const run_changes *c,
                             void (*row)(const char *label, const char *value, text *out),
                             text *out) {
    arena *a = &m->ctx->arena;
    for (uint32_t i = 0; i < m->contacts_count; i++) {
        const char *rests = isfinite(c->rests_at[i])
                                ? arena_format(a, "; its impacts end at t = %.12g", c->rests_at[i])
                                : "";
        row(arena_format(a, "contact %s", m->contacts[i].name),
            arena_format(a, "%s at the start, %s at the end%s", contact_mode_name(c->first[i]),
                         contact_mode_name(c->last[i]), rests),
            out);
    }
    if (c->impacts)
        row("impacts",
            arena_format(a, "%llu, which took the energy %.6g", (unsigned long long)c->impacts,
                         c->lost),
            out);
}

static void write_change(const model *m, const piece_change *c, text *out) {
    static const char *const what[] = {"mode", "impact", "reset"};
    arena *a = &m->ctx->arena;
    text_format(out, "<tr class=\"%s\"><td class=\"number\">%.10g</td>", what[c->kind], c->t);
    page_write_element("th scope=\"row\"", c->name, out);
    switch (c->kind) {
    case CHANGE_MODE:
        text_format(out, "<td>%s</td><td>%s</td>", contact_mode_name(c->from),
                    contact_mode_name(c->to));
        break;
    case CHANGE_IMPACT:
        page_write_element("td", arena_format(a, "hit at speed %.6g", -c->speed), out);
        page_write_element(
            "td",
            c->lost != 0
                ? arena_format(a, "energy %s %.6g", c->lost < 0 ? "gained" : "lost", fabs(c->lost))
                : "",
            out);
        break;
    case CHANGE_RESET: text_append(out, "<td>reset</td><td></td>"); break;
    }
    text_append(out, "</tr>\n");
}

void section_changes(const model *m, const run_changes *c, text *out) {
    if (!c->count) return;
    const uint32_t skip = c->count > HEAD + TAIL ? c->count - HEAD - TAIL : 0;
    text_append(out, "<table class=\"changes\"><caption>Changes</caption><thead><tr><th>t</th>"
                     "<th>name</th><th>from</th><th>to</th></tr></thead><tbody>\n");
    for (uint32_t i = 0; i < c->count; i++) {
        if (skip && i == HEAD)
            text_format(out, "<tr class=\"left-out\"><td colspan=\"4\">%u more</td></tr>\n", skip);
        if (skip && i >= HEAD && i < HEAD + skip) continue;
        write_change(m, &c->at[i], out);
    }
    text_append(out, "</tbody></table>\n");
}

// --- as data -------------------------------------------------------------------------------------

enum { MOST_MARKS = 400, DIGITS = 12 }; // of one list; more cannot be told apart on a strip

// The modes of one contact, each from a time on. Of too many the last are left out, all but one.
static void write_modes(const model *m, uint32_t contact, double start, const run_changes *c,
                        json *out) {
    const char *name = m->contacts[contact].name;
    uint32_t written = 0;
    json_open(out, NULL, '{');
    json_string(out, "name", name);
    json_open(out, "modes", '[');
    for (uint32_t i = 0; i <= c->count; i++) { // the first is that at the start
        const piece_change *x = i ? &c->at[i - 1] : NULL;
        if (x && (x->kind != CHANGE_MODE || strcmp(x->name, name) != 0)) continue;
        if (written++ >= MOST_MARKS) continue;
        json_open(out, NULL, '{');
        json_decimal(out, "t", x ? x->t : start, DIGITS);
        json_string(out, "mode", contact_mode_name(x ? x->to : c->first[contact]));
        json_close(out, '}');
    }
    json_close(out, ']');
    json_integer(out, "left_out", written > MOST_MARKS ? written - MOST_MARKS : 0);
    json_close(out, '}');
}

// Times of impacts or resets; of many, some that are spread evenly
static void write_marks(const run_changes *c, change_kind kind, const char *key, json *out) {
    uint32_t count = 0, seen = 0;
    for (uint32_t i = 0; i < c->count; i++) count += c->at[i].kind == kind;
    const uint32_t step = 1 + count / MOST_MARKS;
    json_open(out, key, '[');
    for (uint32_t i = 0; i < c->count; i++) {
        if (c->at[i].kind != kind || seen++ % step) continue;
        json_open(out, NULL, '{');
        json_string(out, "name", c->at[i].name);
        json_decimal(out, "t", c->at[i].t, DIGITS);
        json_close(out, '}');
    }
    json_close(out, ']');
}

void section_changes_data(const model *m, double start, const run_changes *c, json *out) {
    json_open(out, "pieces", '{');
    json_open(out, "contacts", '[');
    for (uint32_t i = 0; i < m->contacts_count; i++) write_modes(m, i, start, c, out);
    json_close(out, ']');
    write_marks(c, CHANGE_IMPACT, "impacts", out);
    write_marks(c, CHANGE_RESET, "resets", out);
    json_close(out, '}');
}
