// The verdicts: proved, refuted with the state and the size of the gap, undecided; told apart by
// shape as well as by colour.
#include "report/page.h"

#include "base/html.h"
#include "print/expression.h"

#include <string.h>

// A circle with a tick, a square with a cross, a diamond with a question mark.
static const struct {
    const char *word, *mark;
} kinds[] = {
    [VERDICT_PROVED] = {"proved",
                        "<circle cx=\"10\" cy=\"10\" r=\"8.5\"/><path d=\"M5.5 10.5l3 3 6-7\"/>"},
    [VERDICT_REFUTED] =
        {"refuted",
         "<rect x=\"2\" y=\"2\" width=\"16\" height=\"16\"/><path d=\"M6 6l8 8M14 6l-8 8\"/>"},
    [VERDICT_UNDECIDED] = {"undecided", "<path d=\"M10 .8L19.2 10 10 19.2.8 10z\"/><path d=\"M7.6 "
                                        "8a2.4 2.4 0 1 1 3.4 2.2c-.7.4-1 .8-1 1.6M10 14v.6\"/>"},
};

static void write_mark(verdict_kind kind, text *out) {
    text_format(out,
                "<svg class=\"mark\" viewBox=\"0 0 20 20\" aria-hidden=\"true\" fill=\"none\" "
                "stroke=\"currentColor\" stroke-width=\"1.8\">%s</svg> ",
                kinds[kind].mark);
}

// "under A-model, nu = 1"
static void write_mechanics(const model *m, const claim *c, text *out) {
    if (!c->mechanics) return;
    phrase p = {.m = m, .style = PHRASE_HTML};
    phrase_words(&p, "under %s", formalism_find(c->mechanics)->name);
    for (uint32_t i = 0; i < c->option_count; i++) {
        phrase_words(&p, ", ");
        phrase_equation(&p, c->options[i].name, 0, c->options[i].value);
    }
    text_format(out, "<div class=\"detail\">%s</div>", phrase_take(&p));
}

static void write_claim(const model *m, const claim *c, text *out) {
    text latex = {0};
    if (c->kind == CLAIM_EQUATION) {
        print_expression(m->pool, c->left, STYLE_LATEX, &latex);
        text_append(&latex, " = ");
        print_expression(m->pool, c->right, STYLE_LATEX, &latex);
    }
    for (uint32_t i = 0; i < c->solution_count; i++) {
        text_append(&latex, i ? ", \\quad " : "");
        print_expression(m->pool, c->solution[i].symbol, STYLE_LATEX, &latex);
        text_append(&latex, " = ");
        print_expression(m->pool, c->solution[i].value, STYLE_LATEX, &latex);
    }
    if (latex.length) page_write_equation(text_string(&latex), out);
    if (c->kind == CLAIM_CLASSICAL)
        text_append(out, "<div class=\"detail\">the motion is the classical one</div>");
    if (c->kind == CLAIM_SOLUTION) text_append(out, "<div class=\"detail\">is a motion</div>");
    write_mechanics(m, c, out);
    text_free(&latex);
}

// What is said to hold, in mathematics.
static void write_statement(const report *r, const verdict *v, text *out) {
    const model *m = r->known.m;
    for (uint32_t i = 0; i < m->claims_count && strcmp(v->kind, "claim") == 0; i++)
        if (strcmp(m->claims[i].name, v->name) == 0) write_claim(m, &m->claims[i], out);
    for (uint32_t i = 0; i < m->invariants_count && strcmp(v->kind, "invariant") == 0; i++) {
        if (strcmp(m->invariants[i].name, v->name) != 0) continue;
        text latex = {0};
        print_expression(m->pool, m->invariants[i].value, STYLE_LATEX, &latex);
        page_write_equation(text_string(&latex), out);
        text_free(&latex);
    }
}

static void write_method(const verdict *v, text *out) {
    html_text(v->method, out);
    if (v->identity)
        text_append(out, "<div class=\"detail\">an identity: it holds for every acceleration that "
                         "the constraints allow</div>");
    if (v->remark) page_write_element("div class=\"detail\"", v->remark, out);
    if (v->scope.branch)
        page_write_element("div class=\"detail\"", "on this branch of the constraints", out);
    if (v->scope.algebra_alone && v->kind[0] != 'e')
        page_write_element("div class=\"detail\"", "by algebra alone", out);
    if (v->place) page_write_element("div class=\"detail\"", v->place, out);
}

static void write_bound(const verdict *v, text *out) {
    if (v->trials) {
        text latex = {0};
        text_format(&latex, "2^{%.0f}", v->bound);
        text_append(out, "error below ");
        page_write_math(text_string(&latex), out);
        text_format(out, ", %u trial%s", v->trials, v->trials == 1 ? "" : "s");
        text_free(&latex);
    } else if (v->verdict == VERDICT_PROVED) {
        text_append(out, "no error possible");
    }
}

// Where it fails, and by how much.
static void write_witness(const verdict *v, text *out) {
    if (!v->residual && !v->witness_count) return;
    text_append(out, "<div class=\"witness\">");
    if (v->residual) text_append(out, "residual "), html_text(v->residual, out);
    if (v->relative) text_append(out, ", relative size "), html_text(v->relative, out);
    if (v->witness_count) {
        text_format(out, "<details><summary>at this state</summary><dl class=\"state\">");
        for (uint32_t i = 0; i < v->witness_count; i++) {
            page_write_element("dt", v->witness[i].name, out);
            page_write_element("dd", v->witness[i].value, out);
        }
        text_append(out, "</dl></details>");
    }
    text_append(out, "</div>");
}

// In a row of its own, as wide as the table.
static void write_more(const report *r, const verdict *v, text *out) {
    text more = {0};
    write_statement(r, v, &more);
    write_witness(v, &more);
    if (more.length)
        text_format(out, "<tr class=\"more\"><td colspan=\"5\">%s</td></tr>\n", more.bytes);
    text_free(&more);
}

static void write_verdict(const report *r, const verdict *v, text *out) {
    const formalism *form = strcmp(v->kind, "form") == 0 ? formalism_find(v->name) : NULL;
    text_format(out, "<tr class=\"%s\"><td>", kinds[v->verdict].word);
    write_mark(v->verdict, out);
    text_format(out, "%s</td><td>%s</td><td>", kinds[v->verdict].word, v->kind);
    html_text(form ? form->name : v->name, out);
    text_append(out, "</td><td>");
    write_method(v, out);
    text_append(out, "</td><td>");
    write_bound(v, out);
    text_append(out, "</td></tr>\n");
    write_more(r, v, out);
}

static void write_table(const report *r, text *out) {
    const mechanics *s = r->known.s;
    text_append(out, "<div class=\"table\"><table "
                     "class=\"verdicts\"><thead><tr><th>verdict</th><th>kind</th><th>what</"
                     "th><th>method</th><th>bound</th></tr></thead><tbody>\n");
    for (uint32_t i = 0; i < r->verdicts.verdicts_count; i++)
        write_verdict(r, &r->verdicts.verdicts[i], out);
    text_append(out, "</tbody></table></div>\n<p class=\"note\">A form is compared with ");
    html_text(r->usual->name, out);
    text_format(out, ": the same accelerations%s at every state that the constraints allow.</p>\n",
                s->k + s->h ? " and multipliers" : "");
    for (uint32_t i = 0; i < s->k + s->h; i++) {
        const constraint *c = &s->model->constraints[s->constraint[i]];
        if (!c->note) continue;
        text_append(out, "<p class=\"note\">Constraint ");
        html_text(c->name, out), text_append(out, ": "), html_text(c->note, out);
        text_append(out, "</p>\n");
    }
}

void section_proofs(const report *r, text *out) {
    text_append(out, "<section id=\"proofs\"><h2>Proofs</h2>\n");
    page_write_modes(r->known.m, out);
    if (r->no_verdicts) page_write_element("p", r->no_verdicts, out);
    else write_table(r, out);
    text_append(out, "</section>\n");
}
