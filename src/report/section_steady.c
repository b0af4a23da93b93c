// The steady motion near the initial state: where it is, what carries it on, whether disturbances
// grow; and its eigenvalues along a parameter, which the script moves by a slider.
#include "report/page.h"

#include "base/html.h"
#include "print/expression.h"
#include "print/mathml.h"

#include <math.h>

enum { DIGITS = 8 };

static double middle(arb_srcptr v) { return arb_contains_zero(v) ? 0 : ball_middle(v); }

// --- tables --------------------------------------------------------------------------------------

static void write_symbol(const report *r, expr symbol, text *out) {
    text latex = {0};
    print_expression(r->known.m->pool, symbol, STYLE_LATEX, &latex);
    page_write_math(text_string(&latex), out);
    text_free(&latex);
}

// A row, and true; what is 0 has none.
static bool write_value(const report *r, expr symbol, text *out) {
    state *x = (state *)&r->steady->motion->x;
    if (arb_contains_zero(state_get(x, symbol))) return false;
    text_append(out, "<tr><th scope=\"row\">");
    write_symbol(r, symbol, out);
    text_format(out, "</th><td class=\"number\">%.*g</td></tr>\n", DIGITS,
                middle(state_get(x, symbol)));
    return true;
}

static void write_values(const report *r, text *out) {
    const mechanics *s = r->steady->motion->s;
    const uint32_t count = 2 * s->n + (s->has_quasi ? s->m : 0);
    uint32_t shown = 0;
    text_append(out, "<table class=\"steady\"><caption>Its state</caption><thead><tr><th>name</th>"
                     "<th>value</th></tr></thead><tbody>\n");
    for (uint32_t i = 0; i < count; i++)
        shown += write_value(r,
                             i < s->n       ? s->q[i]
                             : i < 2 * s->n ? s->qd[i - s->n]
                                            : s->eta[i - 2 * s->n],
                             out);
    if (shown < count)
        text_format(out, "<tr><th scope=\"row\">%s</th><td class=\"number\">0</td></tr>\n",
                    shown ? "all others" : "all");
    text_append(out, "</tbody></table>\n");
}

// Frequency |lambda| and damping ratio -Re/|lambda| of pairs
static void write_eigenvalues(const linearisation *l, text *out) {
    if (!l->count) return;
    text_append(out,
                "<table class=\"eigenvalues\"><caption>Eigenvalues of the linear motion around "
                "it</caption><thead><tr><th>real part</th><th>imaginary part</th>"
                "<th>frequency</th><th>damping</th></tr></thead><tbody>\n");
    for (uint32_t i = 0; i < l->count; i++) {
        const double re = middle(acb_realref(l->eigenvalue + i)),
                     im = middle(acb_imagref(l->eigenvalue + i)), size = hypot(re, im);
        text_format(out, "<tr><td class=\"number\">%.*g</td><td class=\"number\">%.*g</td>", DIGITS,
                    re, DIGITS, im);
        if (im != 0)
            text_format(out, "<td class=\"number\">%.*g</td><td class=\"number\">%.4g</td></tr>\n",
                        DIGITS, size, re == 0 ? 0 : -re / size);
        else text_append(out, "<td></td><td></td></tr>\n");
    }
    text_append(out, "</tbody></table>\n");
}

// --- words ---------------------------------------------------------------------------------------

// "translation of x, rotation of x, y, psi": those whose speed is not 0
static bool write_carriers(const report_steady *w, text *out) {
    bool any = false;
    for (uint32_t a = 0; a < w->group->count; a++) {
        if (arb_contains_zero(w->motion->speed + a)) continue;
        text_format(out, "%s%s", any ? "; " : "", w->group->at[a].name);
        any = true;
    }
    return any;
}

static void write_what_it_is(const report *r, text *out) {
    const report_steady *w = r->steady;
    text names = {0};
    text_append(out, "<p>Near the initial state there is ");
    if (write_carriers(w, &names)) {
        text_append(out, "a steady motion, along which nothing but symmetries moves (");
        text_append_n(out, text_string(&names), names.length);
        text_append(out, "). ");
    } else {
        text_append(out, "an equilibrium. ");
    }
    text_free(&names);
    if (w->motion->family) {
        text_format(out, "It belongs to a family of dimension %u, moved copies not counted",
                    w->motion->family);
        for (uint32_t i = 0; i < w->motion->family && w->motion->parameter; i++) {
            text_append(out, i ? ", " : ", told apart by ");
            write_symbol(r, w->motion->parameter[i], out);
        }
        text_append(out, ". ");
    }
    text_append(out, w->motion->proved ? "That it exists is proved.</p>\n"
                                       : "Its numbers satisfy the equations to their digits; that "
                                         "it exists is not proved.</p>\n");
}

static void write_verdict(const report_steady *w, text *out) {
    static const char *const words[] = {
        [STABLE_UNDECIDED] = "The eigenvalues do not decide whether it is stable.",
        [STABLE_YES] = "It is stable: every eigenvalue has a negative real part (proved).",
        [STABLE_NO] = "It is unstable: an eigenvalue has a positive real part (proved).",
        [STABLE_MARGINAL] = "All eigenvalues are imaginary (proved): linear theory cannot decide.",
    };
    if (!w->linear) return;
    page_write_element("p class=\"verdict\"", words[w->linear->stable], out);
    if (w->linear->neutral)
        text_format(
            out,
            "<p class=\"note\">%u neutral direction%s, along symmetries and to other steady "
            "motions, %s not among the eigenvalues.</p>\n",
            w->linear->neutral, w->linear->neutral == 1 ? "" : "s",
            w->linear->neutral == 1 ? "is" : "are");
}

void section_steady(const report *r, text *out) {
    const report_steady *w = r->steady;
    text_append(out, "<section id=\"steady\"><h2>Steady motion and its stability</h2>\n");
    page_write_modes(r->known.m, out);
    write_what_it_is(r, out);
    write_verdict(w, out);
    text_append(out, "<div class=\"values\">");
    write_values(r, out);
    if (w->linear) write_eigenvalues(w->linear, out);
    text_append(out, "</div>\n");
    if (w->sweeps_count) {
        text_append(out, "<div id=\"stability\"></div>\n<p class=\"note\">Curves are computed in "
                         "double precision. <code>hamel stability ");
        html_text(r->called, out);
        text_append(out, " --vary \"NAME = A..B\"</code> proves critical values and where the "
                         "motion is stable.</p>\n");
    }
    text_append(out, "</section>\n");
}

// --- data ----------------------------------------------------------------------------------------

static void write_numbers(const scan *rows, const char *key, uint32_t branch, bool imaginary,
                          json *out) {
    static const double NOTHING = 1e-12; // of the eigenvalue: rounding
    json_open(out, key, '[');
    for (uint32_t i = 0; i < rows->row_count; i++) {
        const double re = rows->row[i].re[branch], im = rows->row[i].im[branch],
                     part = imaginary ? im : re;
        json_decimal(out, NULL, fabs(part) > NOTHING * hypot(re, im) ? part : 0, DIGITS);
    }
    json_close(out, ']');
}

static void write_sweep(pool *p, const report_sweep *w, json *out) {
    static const char *const KIND[TESTS] = {"zero", "hopf", "double"};
    text latex = {0}, label = {0};
    print_expression(p, w->symbol, STYLE_LATEX, &latex);
    mathml_inline(text_string(&latex), &label);
    json_open(out, NULL, '{');
    json_string(out, "name", expr_symbol_text(p, w->symbol));
    json_text(out, "label", &label);
    json_decimal(out, "at", w->at, DIGITS);
    json_open(out, "values", '[');
    for (uint32_t i = 0; i < w->rows->row_count; i++)
        json_decimal(out, NULL, w->rows->row[i].p, DIGITS);
    json_close(out, ']');
    json_open(out, "eigenvalues", '[');
    for (uint32_t b = 0; b < w->rows->count; b++) {
        json_open(out, NULL, '{');
        write_numbers(w->rows, "re", b, false, out), write_numbers(w->rows, "im", b, true, out);
        json_close(out, '}');
    }
    json_close(out, ']');
    json_open(out, "critical", '[');
    for (uint32_t i = 0; i < w->critical->count; i++) {
        json_open(out, NULL, '{');
        json_string(out, "kind", KIND[w->critical->at[i].kind]);
        json_decimal(out, "value", middle(w->critical->at[i].value), 2 * DIGITS);
        json_close(out, '}');
    }
    json_close(out, ']');
    json_close(out, '}');
    text_free(&latex), text_free(&label);
}

void section_steady_data(const report_steady *steady, json *out) {
    json_open(out, "steady", '{');
    json_open(out, "sweeps", '[');
    for (uint32_t i = 0; i < steady->sweeps_count; i++)
        write_sweep(steady->motion->s->pool, &steady->sweeps[i], out);
    json_close(out, ']');
    json_close(out, '}');
}
