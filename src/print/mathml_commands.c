// Groups, scripts and commands. The grammar stands above each function.
#include "print/mathml_internal.h"

#include "base/html.h"

#include <string.h>

// --- groups and scripts

// argument = "{" row "}" | one item
// Exactly one element; `rows` reads the row.
static void argument(translator *t, uint32_t (*rows)(translator *)) {
    const size_t from = t->out->length;
    mathml_skip_blanks(t);
    t->depth++;
    if (mathml_accept(t, "{")) {
        const bool single = rows(t) == 1;
        mathml_expect(t, "}");
        if (!single) mathml_insert(t, from, "<mrow>"), mathml_write(t, "</mrow>");
    } else if (*t->at == '*') { // T^*
        t->at++;
        mathml_character(t, "<mi>", "∗", "</mi>");
    } else {
        mathml_item(t, AFTER_NOTHING);
    }
    t->depth--;
}

void mathml_argument(translator *t) { argument(t, mathml_row); }

static void script(translator *t) {
    t->script++;
    mathml_argument(t);
    t->script--;
}

// primes = "'" { "'" }
static void primes(translator *t) {
    mathml_write(t, "<mo>");
    for (; *t->at == '\''; t->at++) mathml_write(t, "′");
    mathml_write(t, "</mo>");
    t->width += mathml_scale(t) / 2;
}

// scripted = base [ "_" script ] [ "^" script | primes ], in either order
// `from` is where the base begins in the output
void mathml_scripts(translator *t, size_t from, bool limits) {
    static const char *const tags[2][3] = {{"msub", "msup", "msubsup"},
                                           {"munder", "mover", "munderover"}};
    text below = {0}, above = {0}, *out = t->out;
    for (;;) {
        const bool low = *t->at == '_', prime = *t->at == '\'';
        if ((low && below.length) || (!low && above.length) || (!low && !prime && *t->at != '^'))
            break;
        t->out = low ? &below : &above;
        if (prime) {
            primes(t);
        } else {
            t->at++;
            script(t);
        }
    }
    t->out = out;
    if (below.length || above.length) {
        const char *tag = tags[limits][below.length ? above.length ? 2 : 0 : 1];
        char open[16] = "<";
        strcat(strcat(open, tag), ">");
        mathml_insert(t, from, open);
        text_format(t->out, "%s%s</%s>", text_string(&below), text_string(&above), tag);
    }
    text_free(&below);
    text_free(&above);
}

// --- commands

// "\frac" argument argument: as wide as the wider one
static before fraction(translator *t, const char *open) {
    const double start = t->width;
    mathml_write(t, open);
    t->fraction++;
    argument(t, mathml_lines);
    const double above = t->width;
    t->width = start;
    argument(t, mathml_lines);
    t->fraction--;
    mathml_write(t, "</mfrac>");
    if (t->width < above) t->width = above;
    return AFTER_WIDE;
}

// "\dot" argument
static before accent(translator *t, const char *mark) {
    mathml_write(t, "<mover accent=\"true\">");
    mathml_argument(t);
    text_format(t->out, "%s</mo></mover>", mark);
    return AFTER_LETTER;
}

static before root(translator *t) {
    mathml_write(t, "<msqrt>");
    argument(t, mathml_lines);
    mathml_write(t, "</msqrt>");
    return AFTER_LETTER;
}

// "{" letters, digits and "\_" "}"
static size_t word(translator *t, text *out) {
    mathml_expect(t, "{");
    while (*t->at && *t->at != '}') {
        if (t->at[0] == '\\' && t->at[1] == '_') t->at++;
        text_char(out, *t->at++);
    }
    mathml_expect(t, "}");
    return out->length;
}

// "\mathrm" word | "\operatorname" word
static before upright(translator *t) {
    text name = {0};
    const bool single = word(t, &name) == 1;
    mathml_write(t, single ? "<mi mathvariant=\"normal\">" : "<mi>");
    html_text(text_string(&name), t->out);
    mathml_write(t, "</mi>");
    t->width += (double)name.length * mathml_scale(t);
    text_free(&name);
    return single ? AFTER_LETTER : AFTER_WIDE;
}

static before calligraphic(translator *t) {
    text name = {0};
    const char *shown = word(t, &name) == 1 ? mathml_calligraphic(*name.bytes) : NULL;
    text_free(&name);
    if (!shown) return mathml_fail(t);
    mathml_character(t, "<mi>", shown, "</mi>");
    return AFTER_LETTER;
}

// brackets = open row close
// Around several lines they stretch.
before mathml_brackets(translator *t, const char *open, const char *close, bool stretches) {
    const size_t from = t->out->length;
    text opening = {0};
    t->width += mathml_scale(t);
    t->depth++;
    mathml_lines(t);
    t->depth--;
    const bool tall = strncmp(text_string(t->out) + from, "<mtable", 7) == 0;
    const char *tag = stretches || tall ? "<mo>" : "<mo stretchy=\"false\">";
    text_format(&opening, "<mrow>%s%s</mo>", tag, open);
    mathml_insert(t, from, text_string(&opening));
    text_free(&opening);
    mathml_character(t, tag, close, "</mo>");
    mathml_write(t, "</mrow>");
    return AFTER_WIDE;
}

// "\left" delimiter row "\right" delimiter
static before fenced(translator *t) {
    static const char *const delimiters[][2] = {{"(", ")"}, {"[", "]"}, {"|", "|"}, {"\\{", "\\}"}};
    for (size_t i = 0; i < sizeof delimiters / sizeof *delimiters; i++) {
        const char *open = delimiters[i][0], *close = delimiters[i][1];
        if (!mathml_accept(t, open)) continue;
        mathml_brackets(t, open + (*open == '\\'), close + (*close == '\\'), true);
        mathml_expect(t, "\\right");
        mathml_expect(t, close);
        return AFTER_WIDE;
    }
    return mathml_fail(t);
}

// "\begin{pmatrix}" row { "&" row | "\\" row } "\end{pmatrix}"
static before matrix(translator *t) {
    mathml_expect(t, "{pmatrix}");
    mathml_write(t, "<mrow><mo>(</mo><mtable><mtr><mtd>");
    t->depth++;
    for (;;) {
        mathml_lines(t);
        if (mathml_accept(t, "&")) mathml_write(t, "</mtd><mtd>");
        else if (mathml_accept(t, "\\\\")) mathml_write(t, "</mtd></mtr><mtr><mtd>");
        else break;
    }
    t->depth--;
    mathml_expect(t, "\\end{pmatrix}");
    mathml_write(t, "</mtd></mtr></mtable><mo>)</mo></mrow>");
    return AFTER_WIDE;
}

static before show_sign(translator *t, const sign *s) {
    switch (s->kind) {
    case SIGN_LETTER: mathml_character(t, "<mi>", s->shown, "</mi>"); return AFTER_LETTER;
    case SIGN_UPRIGHT:
        mathml_character(t, "<mi mathvariant=\"normal\">", s->shown, "</mi>");
        return AFTER_LETTER;
    case SIGN_PREFIX: mathml_character(t, "<mi>", s->shown, "</mi>"); return AFTER_PREFIX;
    case SIGN_FUNCTION:
        mathml_leaf(t, "<mi>", s->shown, strlen(s->shown), "</mi>");
        return AFTER_FUNCTION;
    case SIGN_OPERATOR:
    case SIGN_SUM: mathml_character(t, "<mo>", s->shown, "</mo>"); return AFTER_NOTHING;
    case SIGN_SPACE: text_format(t->out, "<mspace width=\"%s\"/>", s->shown); return AFTER_NOTHING;
    }
    return mathml_fail(t);
}

// command = "\" name ..
before mathml_command(translator *t) {
    if (mathml_accept(t, "\\frac")) return fraction(t, "<mfrac>");
    if (mathml_accept(t, "\\tfrac")) return fraction(t, "<mfrac displaystyle=\"false\">");
    if (mathml_accept(t, "\\dot")) return accent(t, "<mo>˙");
    if (mathml_accept(t, "\\ddot")) return accent(t, "<mo>¨");
    if (mathml_accept(t, "\\dddot")) return accent(t, "<mo>...");
    if (mathml_accept(t, "\\tilde")) return accent(t, "<mo stretchy=\"false\">˜");
    if (mathml_accept(t, "\\sqrt")) return root(t);
    if (mathml_accept(t, "\\mathrm")) return upright(t);
    if (mathml_accept(t, "\\operatorname")) return upright(t), AFTER_FUNCTION;
    if (mathml_accept(t, "\\mathcal")) return calligraphic(t);
    if (mathml_accept(t, "\\left")) return fenced(t);
    if (mathml_accept(t, "\\begin")) return matrix(t);
    if (mathml_accept(t, "\\{")) {
        mathml_brackets(t, "{", "}", false);
        mathml_expect(t, "\\}");
        return AFTER_WIDE;
    }
    const sign *s = mathml_next_sign(t);
    if (!s) return mathml_fail(t);
    t->at += 1 + strlen(s->command);
    return show_sign(t, s);
}
