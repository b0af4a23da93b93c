// From LaTeX to presentation MathML, by recursive descent. The grammar stands above each function;
// blanks between two factors mean times.
#include "print/mathml.h"

#include "base/html.h"
#include "print/mathml_internal.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

// Spaces as TeX sets them between atoms (TeXbook, chapter 18): a thin one beside functions,
// brackets and fractions.
#define THIN "0.17em"
#define TIMES "\xE2\x81\xA2"       // U+2062, invisible
#define APPLICATION "\xE2\x81\xA1" // U+2061, invisible

// characters before a sum continues on a new line; at least so many in brackets and fractions
enum { LONGEST_LINE = 70, SHORTEST_LINE = 36 };

// --- lines

#define LINE "<mtr><mtd style=\"text-align:left\">"

static bool could_begin_a_line(const translator *t) {
    return t->now.open && t->depth == t->now.depth && !t->script;
}

// A line that has become too long ends before the last + - = in it.
static void break_line(translator *t) {
    lines *l = &t->now;
    if (!l->place || t->width - l->line_start <= l->longest) return;
    mathml_insert(t, l->place, "</mtd></mtr>" LINE "<mspace width=\"2em\"/>");
    l->widest = fmax(l->widest, l->place_width - l->line_start);
    l->broken = true;
    l->line_start = l->place_width - 2;
    l->place = 0;
}

static void mark_place(translator *t) {
    if (!could_begin_a_line(t)) return;
    break_line(t);
    t->now.place = t->out->length;
    t->now.place_width = t->width;
}

// What is left of a line for a group that begins here, if the line is broken before its term.
static double room_left(const translator *t) {
    const lines *l = &t->now;
    const double begin = l->place ? l->place_width - 2 : l->line_start;
    return fmax(SHORTEST_LINE, l->longest - (t->width - begin));
}

uint32_t mathml_lines(translator *t) {
    if (!t->breaks || t->script) return mathml_row(t);
    const lines outer = t->now;
    const size_t from = t->out->length;
    const double start = t->width, longest = outer.open ? room_left(t) : LONGEST_LINE;
    t->now = (lines){.open = true, .depth = t->depth, .line_start = start, .longest = longest};
    uint32_t count = mathml_row(t);
    break_line(t);
    if (t->now.broken) {
        mathml_insert(t, from,
                      t->fraction ? "<mtable>" LINE : "<mtable displaystyle=\"true\">" LINE);
        mathml_write(t, "</mtd></mtr></mtable>");
        t->width = start + fmax(t->now.widest, t->width - t->now.line_start);
        count = 1;
    }
    t->now = outer;
    return count;
}

// --- items

// A + or - after an operand joins two terms; elsewhere it is the sign of one. In scripts TeX leaves
// no space around operators.
static before operator_sign(translator *t, before last) {
    const char c = *t->at++;
    const bool joins = last >= AFTER_LETTER, relation = c == '=';
    const char *shown = c == '-' ? "−" : c == '*' ? "∗" : (const char[]){c, 0};
    if ((joins && (c == '+' || c == '-')) || relation) mark_place(t);
    const char *open = t->script                          ? "<mo lspace=\"0\" rspace=\"0\">"
                       : (c == '+' || c == '-') && !joins ? "<mo form=\"prefix\">"
                       : could_begin_a_line(t)            ? "<mo form=\"infix\">"
                                                          : "<mo>";
    mathml_character(t, open, shown, "</mo>");
    t->width += t->script || !joins ? 0 : 1;
    return AFTER_NOTHING;
}

// number = digit { digit | "." }
static before number(translator *t) {
    const size_t length = strspn(t->at, "0123456789.");
    mathml_leaf(t, "<mn>", t->at, length, "</mn>");
    t->at += length;
    return AFTER_LETTER;
}

// item = number | letter | command | "(" row ")" | "[" row "]" | "{" row "}" | operator
before mathml_item(translator *t, before last) {
    const char c = *t->at;
    if (isdigit((unsigned char)c)) return number(t);
    if (isalpha((unsigned char)c)) {
        mathml_leaf(t, "<mi>", t->at++, 1, "</mi>");
        return AFTER_LETTER;
    }
    switch (c) {
    case '\\': return mathml_command(t);
    case '(':
    case '[':
        t->at++;
        mathml_brackets(t, c == '(' ? "(" : "[", c == '(' ? ")" : "]", false);
        mathml_expect(t, c == '(' ? ")" : "]");
        return AFTER_WIDE;
    case '{': mathml_argument(t); return AFTER_LETTER;
    case ',':
        t->at++;
        mathml_character(t, t->script ? "<mo rspace=\"0\">" : "<mo>", ",", "</mo>");
        return AFTER_NOTHING;
    case '+':
    case '-':
    case '=':
    case '/':
    case '*': return operator_sign(t, last);
    default: return mathml_fail(t);
    }
}

// Does the row end here? At a closing bracket, the next cell or line of a matrix, or the end.
static bool at_end(const translator *t) {
    static const char *const ends[] = {"}", ")", "]", "&", "\\}", "\\\\", "\\right", "\\end"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (strncmp(t->at, ends[i], strlen(ends[i])) == 0) return true;
    return !*t->at;
}

static bool begins_operand(const translator *t) {
    const sign *s = mathml_next_sign(t);
    return isalnum((unsigned char)*t->at) ||
           (strchr("([{\\", *t->at) && !(s && (s->kind == SIGN_OPERATOR || s->kind == SIGN_SPACE)));
}

// Has the operand that comes a thin space before it?
static bool begins_wide(const translator *t) {
    static const char *const narrow[] = {"\\dot",   "\\ddot", "\\dddot",
                                         "\\tilde", "\\sqrt", "\\mathcal"};
    for (size_t i = 0; i < sizeof narrow / sizeof *narrow; i++)
        if (strncmp(t->at, narrow[i], strlen(narrow[i])) == 0) return false;
    const sign *s = mathml_next_sign(t);
    return *t->at == '\\' ? !s || s->kind == SIGN_FUNCTION || s->kind == SIGN_SUM
                          : *t->at == '(' || *t->at == '[';
}

// Between two operands with a blank between them; between a function and its argument.
static void times(translator *t, before last) {
    const bool thin = last != AFTER_LETTER || begins_wide(t);
    mathml_write(t, thin ? "<mo lspace=\"" THIN "\">" : "<mo>");
    mathml_write(t, last == AFTER_FUNCTION ? APPLICATION : TIMES);
    mathml_write(t, "</mo>");
    t->width += thin ? 0.3 * mathml_scale(t) : 0;
}

// row = { item [ scripts ] }
uint32_t mathml_row(translator *t) {
    before last = AFTER_NOTHING;
    uint32_t count = 0;
    for (;; count++) {
        const bool blank = mathml_skip_blanks(t);
        if (t->wrong || at_end(t)) return count;
        if (last >= AFTER_LETTER && blank && begins_operand(t)) {
            times(t, last);
            count++;
        } else if (last >= AFTER_LETTER && (*t->at == '(' || *t->at == '[')) { // f(x)
            mathml_write(t, "<mo>" APPLICATION "</mo>");
            count++;
        }
        const size_t from = t->out->length;
        const sign *s = mathml_next_sign(t);
        const bool sum = s && s->kind == SIGN_SUM;
        last = mathml_item(t, last);
        if (last != AFTER_NOTHING || sum) mathml_scripts(t, from, sum);
    }
}

// --- entry points

static bool translate(const char *latex, bool breaks, text *out) {
    text body = {0};
    translator t = {.at = latex, .out = &body, .breaks = breaks};
    mathml_lines(&t);
    if (*t.at) mathml_fail(&t);
    if (t.wrong) {
        text_append(out, "<mtext>");
        html_text(latex, out);
        text_append(out, "</mtext>");
    } else {
        text_append(out, text_string(&body));
    }
    text_free(&body);
    return !t.wrong;
}

bool mathml_inline(const char *latex, text *out) {
    text_append(out, "<math>");
    const bool known = translate(latex, false, out);
    text_append(out, "</math>");
    return known;
}

bool mathml_block(const char *latex, text *out) {
    text_append(out, "<math display=\"block\">");
    const bool known = translate(latex, true, out);
    text_append(out, "</math>");
    return known;
}
