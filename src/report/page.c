// The frame of the page, and the data it carries (docs/page.md).
#include "report/page_data.h"
#include "report/report.h"

#include "base/html.h"
#include "hamel.h"
#include "report/assets.h"
#include "report/page.h"

static const char *title_of(const report *r) {
    return r->known.m->title ? r->known.m->title : r->known.m->name;
}

static void write_head(const report *r, text *out) {
    text_append(out,
                "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta "
                "name=\"generator\" content=\"hamel " HAMEL_VERSION "\">\n");
    page_write_element("title", title_of(r), out);
    text_append(out, "\n<style>\n");
    text_append_n(out, page_style, page_style_size);
    text_append(out, "</style>\n</head>\n");
}

// "sleigh: 3 coordinates, 1 constraint, 2 degrees of freedom"
static void write_header(const report *r, text *out) {
    const classification *k = &r->known;
    const uint32_t n = k->s->n, constraints = classification_constraints(k),
                   freedom = classification_freedom(k);
    text_append(out, "<header>");
    page_write_element("h1", title_of(r), out);
    text_append(out, "<p class=\"subtitle\"><code>");
    html_text(k->m->name, out);
    text_format(out,
                "</code>: %u coordinate%s, %u constraint%s, %u degree%s of freedom</p></header>\n",
                n, n == 1 ? "" : "s", constraints, constraints == 1 ? "" : "s", freedom,
                freedom == 1 ? "" : "s");
}

static bool has_steady(const report *r) { return r->steady != NULL; }

static const struct {
    const char *id, *title;
    void (*write)(const report *r, text *out);
    bool (*is_there)(const report *r); // NULL: always
} sections[] = {
    {"motion", "Motion", section_motion, NULL},
    {"steady", "Steady motion", section_steady, has_steady},
    {"model", "Model", section_model, NULL},
    {"classification", "Classification", section_classification, NULL},
    {"equations", "Equations", section_equations, NULL},
    {"proofs", "Proofs", section_proofs, NULL},
};
enum { SECTIONS = sizeof sections / sizeof *sections };

static bool is_there(const report *r, size_t section) {
    return !sections[section].is_there || sections[section].is_there(r);
}

void report_write_data(const report *r, json *out) { page_data_json(r, PAGE_DATA_BUDGET, out); }

// The room that text and script leave in a page small enough to be sent by mail
static size_t room_for_data(size_t written) {
    enum { LONGEST_PAGE = 2700000, LEAST = 300000 };
    const size_t rest =
        written + page_script_size < LONGEST_PAGE ? LONGEST_PAGE - written - page_script_size : 0;
    return rest < LEAST ? LEAST : rest < PAGE_DATA_BUDGET ? rest : PAGE_DATA_BUDGET;
}

static void write_data(const report *r, text *out) {
    text document = {0};
    page_data_json(r, room_for_data(out->length), &(json){.out = &document});
    text_append(out, "<script type=\"application/json\" id=\"hamel-data\">");
    html_json(text_string(&document), out);
    text_append(out, "</script>\n");
    text_free(&document);
}

void report_write_page(const report *r, text *out) {
    write_head(r, out);
    text_append(out, "<body>\n");
    write_header(r, out);
    text_append(out, "<nav class=\"contents\" aria-label=\"Contents\">");
    for (size_t i = 0; i < SECTIONS; i++)
        if (is_there(r, i))
            text_format(out, "<a href=\"#%s\">%s</a> ", sections[i].id, sections[i].title);
    text_append(out, "</nav>\n<main>\n");
    for (size_t i = 0; i < SECTIONS; i++)
        if (is_there(r, i)) sections[i].write(r, out);
    text_append(out, "</main>\n");
    write_data(r, out);
    text_append(out, "<script>\n");
    text_append_n(out, page_script, page_script_size);
    text_append(out, "</script>\n</body>\n</html>\n");
}
