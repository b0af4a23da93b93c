// What the system is: facts in words, and its constraints one by one.
#include "report/page.h"

#include "print/expression.h"
#include "report/facts.h"

static void write_fact(const fact *f, text *out) {
    text_append(out, "<li>");
    if (*f->label) {
        page_write_element("span class=\"label\"", f->label, out);
        text_char(out, ' ');
    }
    text_append(out, f->words);
    for (uint32_t i = 0; i < f->details_count; i++)
        text_format(out, "<div class=\"detail\">%s</div>", f->details[i]);
    text_append(out, "</li>\n");
}

static void write_cell(const char *words, text *out) { page_write_element("td", words, out); }

static void write_constraint(const classification *k, uint32_t i, text *out) {
    const constraint *c = &k->m->constraints[i];
    const char *integral = constraint_integral_words(k, i, PHRASE_HTML),
               *servo = constraint_servo_words(k, i, PHRASE_HTML),
               *status = constraint_status_words(c);
    text_append(out, "<tr>");
    page_write_element("th scope=\"row\"", c->name, out);
    text_format(out, "<td>%d</td>", c->order);
    write_cell(constraint_degree_words(c), out);
    write_cell(c->rheonomic ? "rheonomic" : "scleronomic", out);
    write_cell(c->order == 0 ? "holonomic" : constraint_verdict_words(k, i), out);
    text_append(out, "</tr>\n<tr class=\"more\"><td colspan=\"5\">");
    text latex = {0};
    print_expression(k->m->pool, c->phi, STYLE_LATEX, &latex);
    text_append(&latex, " = 0");
    page_write_equation(text_string(&latex), out);
    text_free(&latex);
    if (integral) text_format(out, "<div class=\"detail\">integral: %s</div>", integral);
    if (servo) text_format(out, "<div class=\"detail\">%s</div>", servo);
    if (*status) page_write_element("div class=\"detail\"", status, out);
    text_append(out, "</td></tr>\n");
}

static void write_constraints(const classification *k, text *out) {
    if (!k->m->constraints_count) return;
    text_append(
        out,
        "<div class=\"table\"><table "
        "class=\"constraints\"><caption>Constraints</caption><thead><tr><th>name</th><th>order</"
        "th><th>kind</th><th>time</th><th>integrability</th></tr></thead><tbody>\n");
    for (uint32_t i = 0; i < k->m->constraints_count; i++) write_constraint(k, i, out);
    text_append(out, "</tbody></table></div>\n");
}

void section_classification(const report *r, text *out) {
    text_append(out,
                "<section id=\"classification\"><h2>Classification</h2>\n<ul class=\"facts\">\n");
    fact_list facts = facts_of(&r->known, PHRASE_HTML);
    for (uint32_t i = 0; i < facts.at_count; i++) write_fact(&facts.at[i], out);
    facts_free(&facts);
    text_append(out, "</ul>\n");
    write_constraints(&r->known, out);
    text_append(out, "</section>\n");
}
