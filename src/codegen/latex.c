// The target `latex`: a section of a paper, with a document around it that can be compiled, and
// its references.
#include "codegen/latex_break.h"
#include "codegen/paper.h"
#include "codegen/target.h"

#include "base/decimal.h"
#include "base/latex_name.h"
#include "base/references.h"
#include "parse/token.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MARK "% Written by hamel"

static const char *const words[] = {"main", "references", NULL};
static const identifier_rules latex_rules = {.words = words};

// Of a page: A4 with margins of 2.5 cm
static const double TEXT_WIDTH = 440, MOST_LEFT = 130;

// --- words ---------------------------------------------------------------------------------------

// A letter of Greek in two bytes; false if it is none
static bool write_greek(unsigned char first, unsigned char second, text *out) {
    const char *name = unicode_greek((first & 0x1Fu) << 6 | (second & 0x3Fu));
    if (first < 0xC2 || first >= 0xE0 || (second & 0xC0) != 0x80 || !name) return false;
    text_char(out, '$');
    latex_name(name, 0, out);
    text_char(out, '$');
    return true;
}

// Plain text: signs of TeX as letters. Of letters it knows those of Latin and Greek.
static void write_words(const char *plain, text *out) {
    for (; *plain; plain++) {
        const unsigned char c = (unsigned char)*plain, next = (unsigned char)plain[1];
        if (write_greek(c, next, out)) plain++;
        else if (strchr("&%$#_{}", c)) text_format(out, "\\%c", c);
        else if (c == '\\') text_append(out, "\\textbackslash{}");
        else if (c == '~') text_append(out, "\\textasciitilde{}");
        else if (c == '^') text_append(out, "\\textasciicircum{}");
        else if (strchr("<>|", c)) text_format(out, "$%c$", c);
        else if (c == '"') text_append(out, "''");
        else if (c < 0x80 || (c >= 0xC3 && c <= 0xC5)) text_char(out, (char)c);
        else if (c < 0xC0) continue; // the rest of a letter
        else text_append(out, "?");
        if (c >= 0xC3 && c <= 0xC5 && next) text_char(out, (char)next), plain++;
    }
}

// "x'" as \dot{x}
static void write_symbol(const char *name, text *out) {
    text plain = {0};
    size_t primes = 0;
    const size_t length = strlen(name);
    while (primes < length && name[length - 1 - primes] == '\'') primes++;
    text_append_n(&plain, name, length - primes);
    text_char(out, '$');
    latex_name(text_string(&plain), (uint32_t)primes, out);
    text_char(out, '$');
    text_free(&plain);
}

static void write_value(double value, text *out) {
    char digits[DECIMAL_SIZE];
    if (!isfinite(value)) {
        text_append(out, "--");
        return;
    }
    text rounded = {0};
    text_format(&rounded, "%.10g", value);
    decimal_write(decimal_read(text_string(&rounded), &(const char *){NULL}), digits);
    text_free(&rounded);
    const size_t mantissa = strcspn(digits, "e");
    text_format(out, "$%.*s", (int)mantissa, digits);
    if (digits[mantissa]) text_format(out, " \\cdot 10^{%d}", atoi(digits + mantissa + 1));
    text_char(out, '$');
}

// kg*m^2/s as kg m^2/s
static void write_unit(const char *unit, text *out) {
    if (!unit || strcmp(unit, "1") == 0) {
        text_append(out, unit ? "1" : "");
        return;
    }
    text_append(out, "$\\mathrm{");
    for (; *unit; unit++) {
        if (*unit == '*') text_append(out, "\\,");
        else if (*unit == '^') {
            text_append(out, "^{");
            while (unit[1] == '-' || (unit[1] >= '0' && unit[1] <= '9')) text_char(out, *++unit);
            text_char(out, '}');
        } else text_char(out, *unit);
    }
    text_append(out, "}$");
}

static void write_list(uint32_t count, const char *const *name, text *out) {
    for (uint32_t i = 0; i < count; i++) {
        text_append(out, text_between(i, count));
        write_symbol(name[i], out);
    }
}

static bool any_unit(uint32_t count, const char *const *unit) {
    for (uint32_t i = 0; i < count; i++)
        if (unit[i]) return true;
    return false;
}

static void write_table(uint32_t count, const char *const *name, const double *value,
                        const char *const *unit, const char *caption, text *out) {
    if (!count) return;
    const bool units = any_unit(count, unit);
    text_format(out, "\\begin{longtable}{ll%s}\n\\caption{%s}\\\\\n\\hline\n", units ? "l" : "",
                caption);
    text_format(out, "symbol & value%s \\\\\n\\hline\n\\endhead\n", units ? " & unit" : "");
    for (uint32_t i = 0; i < count; i++) {
        write_symbol(name[i], out);
        text_append(out, " & ");
        write_value(value[i], out);
        if (units) text_append(out, " & "), write_unit(unit[i], out);
        text_append(out, " \\\\\n");
    }
    text_append(out, "\\hline\n\\end{longtable}\n");
}

// --- equations -----------------------------------------------------------------------------------

static void write_block(const paper *a, paper_block block, const char *sentence, text *out) {
    if (!a->count[block]) return;
    double left = 0;
    for (uint32_t i = 0; i < a->count[block]; i++) {
        const double width = latex_break_width(a->equation[block][i].left);
        if (width <= MOST_LEFT) left = fmax(left, width);
    }
    text_format(out, "%s\n\\begin{align*}\n", sentence);
    for (uint32_t i = 0; i < a->count[block]; i++) {
        const paper_equation *e = &a->equation[block][i];
        latex_break(e->left, e->right, TEXT_WIDTH - left - 14, left, out);
        text_append(out, i + 1 < a->count[block] ? " \\\\\n" : "\n");
    }
    text_append(out, "\\end{align*}\n");
}

static void write_citation(const paper *a, text *out) {
    const char *before = "~\\cite{";
    for (uint32_t i = 0; i < reference_count(); i++) {
        if (!reference_is_named(reference_at(i), a->sources)) continue;
        text_format(out, "%s%s", before, reference_at(i)->key);
        before = ",";
    }
    text_append(out, *before == ',' ? "}" : "");
}

static void write_system(const project *g, text *out) {
    const paper *a = g->about;
    text_append(out, "\\section{");
    write_words(g->title, out);
    text_append(out, "}\n\n\\subsection{The system}\n");
    text_format(out, "The configuration is described by %u coordinate%s", a->coordinates,
                a->coordinates == 1 ? "" : "s");
    text_append(out, a->coordinates ? ", " : "");
    write_list(a->coordinates, a->coordinate, out);
    text_format(out,
                ". With %u independent constraint%s on its velocities the system has %u degree%s "
                "of freedom.\n",
                a->constraints, a->constraints == 1 ? "" : "s", a->freedoms,
                a->freedoms == 1 ? "" : "s");
    if (*a->notes) {
        text_append(out, "\n");
        write_words(a->notes, out);
        text_append(out, "\n");
    }
    write_table(g->parameter_count, g->parameter, g->value, g->parameter_unit, "Parameters", out);
    write_block(a, PAPER_ENERGY, "Its energies are", out);
    write_block(a, PAPER_FORCES, "Generalised forces act that have no potential:", out);
    write_block(a, PAPER_GIVEN, "Given functions of time are", out);
    write_block(a, PAPER_INPUTS, "Inputs are, where nobody else says what they are,", out);
    write_block(a, PAPER_CONSTRAINTS, "The motion obeys the constraints", out);
    write_block(a, PAPER_QUASI_VELOCITIES, "Quasi-velocities are defined by", out);
}

static void write_derivation(const project *g, text *out) {
    const paper *a = g->about;
    text_append(out, "\n\\subsection{Equations of motion}\nBy ");
    write_words(a->form_name, out);
    write_citation(a, out);
    text_append(out, ",\n\\begin{align*}\n  ");
    text_append(out, a->formula);
    text_append(out, "\n\\end{align*}\n");
    write_block(a, PAPER_INGREDIENTS, "Here", out);
    write_block(a, PAPER_NAMES, "With the abbreviations", out);
    write_block(a, PAPER_MOTION, "the equations of motion are", out);
    write_block(a, PAPER_VELOCITIES, "The velocities follow from", out);
    write_block(a, PAPER_REMAINING, "Besides, there hold", out);
    write_block(a, PAPER_MULTIPLIERS,
                "Once the accelerations are known, the multipliers follow from", out);
    if (a->left_out)
        text_format(out,
                    "%u equations are too long for a page: \\texttt{hamel derive} and the "
                    "other targets of \\texttt{hamel codegen} have them.\n",
                    a->left_out);
}

static void write_section(const project *g, text *out) {
    const paper *a = g->about;
    text_append(out, MARK);
    text_format(out, " %s\n", g->version);
    write_system(g, out);
    write_derivation(g, out);
    write_block(a, PAPER_INVARIANTS, "Along the motion these do not change:", out);
    text_append(out, "\n\\subsection{Motion}\n");
    text_append(out, "In first-order form the state is $z = ($");
    for (uint32_t i = 0; i < g->state_count; i++) {
        text_append(out, i ? ", " : "");
        write_symbol(g->state[i], out);
    }
    text_append(out, "$)$. The motion starts at $t = {}$");
    write_value(g->t0, out);
    text_append(out, ".\n");
    write_table(g->state_count, g->state, g->start, g->state_unit, "Initial values", out);
    write_block(a, PAPER_OBSERVED, "Observed are", out);
    write_block(a, PAPER_EVENTS, "Events are where these change their sign:", out);
}

static const char PREAMBLE[] = "\\documentclass[a4paper,10pt]{article}\n"
                               "\\usepackage[utf8]{inputenc}\n"
                               "\\usepackage{amsmath}\n"
                               "\\usepackage{longtable}\n"
                               "\\usepackage[margin=2.5cm]{geometry}\n"
                               "\\allowdisplaybreaks\n"
                               "\\emergencystretch=4em\n"
                               "\\begin{document}\n";

static void write_document(const project *g, text *out) {
    text_append(out, MARK);
    text_format(out, " %s: pdflatex main, bibtex main, pdflatex main twice\n", g->version);
    text_append(out, PREAMBLE);
    text_format(out,
                "\\input{%s}\n\\bibliographystyle{plain}\n\\bibliography{references}\n"
                "\\end{document}\n",
                g->name);
}

static void write_references(const project *g, text *out) {
    for (uint32_t i = 0; i < reference_count(); i++)
        if (reference_is_named(reference_at(i), g->about->sources))
            reference_write_bibtex(reference_at(i), out);
}

const target target_latex = {
    .id = "latex",
    .name = "LaTeX",
    .about = "a section of a paper: the system, its derivation, equations and tables, with a "
             "document around it and its references",
    .files = {{"@.tex", write_section},
              {"main.tex", write_document},
              {"references.bib", write_references}},
    .rules = &latex_rules,
    .mark_file = "main.tex",
    .mark = MARK,
    .is_paper = true,
};
