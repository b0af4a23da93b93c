// Long equations in LaTeX.
#include "codegen/latex_break.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// --- pieces of a formula -------------------------------------------------------------------------

// Behind what stands in brackets of any kind from s on; {..}, (..), \left..\right
static const char *behind_group(const char *s, const char *end) {
    int depth = 0;
    do {
        if (strncmp(s, "\\left", 5) == 0 && !isalpha((unsigned char)s[5])) depth++, s += 6;
        else if (strncmp(s, "\\right", 6) == 0 && !isalpha((unsigned char)s[6])) depth--, s += 7;
        else if (*s == '\\') s += 2;
        else if (*s == '{' || *s == '(') depth++, s++;
        else if (*s == '}' || *s == ')') depth--, s++;
        else s++;
    } while (depth > 0 && s < end);
    return s < end ? s : end;
}

static bool opens(const char *s) {
    return *s == '{' || *s == '(' ||
           (strncmp(s, "\\left", 5) == 0 && !isalpha((unsigned char)s[5]));
}

static const char *next_piece(const char *s, const char *end) {
    if (opens(s)) return behind_group(s, end);
    return s + (*s == '\\' && s + 1 < end ? 2 : 1);
}

// The end of a term: the next " + " or " - " outside of brackets
static const char *end_of_term(const char *s, const char *end) {
    while (s < end) {
        if (s[0] == ' ' && end - s > 2 && (s[1] == '+' || s[1] == '-') && s[2] == ' ') return s;
        s = next_piece(s, end);
    }
    return end;
}

static const char *end_of_factor(const char *s, const char *end) {
    while (s < end && *s != ' ') s = next_piece(s, end);
    return s;
}

// --- widths --------------------------------------------------------------------------------------

static bool reads(const char **s, const char *word) {
    const size_t length = strlen(word);
    if (strncmp(*s, word, length) != 0 || isalpha((unsigned char)(*s)[length])) return false;
    *s += length;
    return true;
}

static double width_of(const char *s, const char *end);

// {..}, or one piece; *s goes behind it
static double argument_width(const char **s, const char *end) {
    if (*s >= end) return 0;
    const char *begin = *s, *behind = next_piece(begin, end);
    *s = behind;
    return *begin == '{' ? width_of(begin + 1, behind - 1) : width_of(begin, behind);
}

static double command_width(const char **s, const char *end) {
    static const char *const accents[] = {"\\dot",   "\\ddot", "\\dddot", "\\ddddot",
                                          "\\tilde", "\\bar",  "\\hat"};
    if (reads(s, "\\frac") || reads(s, "\\tfrac") || reads(s, "\\dfrac")) {
        const double above = argument_width(s, end), below = argument_width(s, end);
        return 2.4 + (above > below ? above : below);
    }
    if (reads(s, "\\sqrt")) return 9 + argument_width(s, end);
    for (size_t i = 0; i < sizeof accents / sizeof *accents; i++)
        if (reads(s, accents[i])) return argument_width(s, end);
    if (reads(s, "\\mathrm") || reads(s, "\\operatorname") || reads(s, "\\mathit") ||
        reads(s, "\\text"))
        return 2 + argument_width(s, end);
    if (reads(s, "\\left") || reads(s, "\\right")) {
        if (**s == '\\') ++*s;
        ++*s;
        return 7;
    }
    static const char *const functions[] = {"\\sin",    "\\cos",    "\\tan",  "\\arcsin",
                                            "\\arccos", "\\arctan", "\\sinh", "\\cosh",
                                            "\\tanh",   "\\ln",     "\\exp"};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (reads(s, functions[i])) return 2 + 5 * (double)(strlen(functions[i]) - 1);
    ++*s;
    if (!isalpha((unsigned char)**s)) { // \, \; \{
        ++*s;
        return 3;
    }
    while (isalpha((unsigned char)**s)) ++*s;
    return 7;
}

static double letter_width(char c) {
    if (strchr("mw", c)) return 8.5;
    if (strchr("ijlt", c)) return 4;
    if (isupper((unsigned char)c)) return 8.3;
    if (strchr("+-=<>", c)) return 12.5;
    if (strchr("(),.|!:;/", c)) return 4;
    return ((unsigned char)c & 0xC0) == 0x80 ? 0 : 5.7; // the rest of a letter is no letter
}

static double width_of(const char *s, const char *end) {
    double width = 0;
    while (s < end) {
        if (*s == '^' || *s == '_') {
            s++;
            width += 0.5 + 0.75 * argument_width(&s, end);
        } else if (*s == '\\') width += command_width(&s, end);
        else if (*s == ' ' || *s == '{' || *s == '}') s++, width += 0.5;
        else width += letter_width(*s++);
    }
    return width;
}

double latex_break_width(const char *formula) {
    return width_of(formula, formula + strlen(formula));
}

// --- lines ---------------------------------------------------------------------------------------

enum { DEEPEST = 12 };
static const double INDENT = 22;

typedef struct {
    text *out;
    double at, width; // of the line so far; of all of it
    int depth;        // of brackets that were opened
    bool empty;       // nothing stands in the line
    bool joined;      // what stands at its end stays with what follows
} lines;

static void new_line(lines *w) {
    text_append(w->out, " \\\\\n  &\\quad ");
    w->at = INDENT;
    w->empty = true;
}

static void put(lines *w, const char *bytes, size_t length, double width) {
    text_append_n(w->out, bytes, length);
    w->at += width;
    w->empty = false;
}

// A word that stays with what is behind it
static void put_word(lines *w, const char *word) {
    put(w, word, strlen(word), latex_break_width(word));
    w->joined = true;
}

static void put_sum(lines *w, const char *s, const char *end);

static void put_brackets(lines *w, const char *open, const char *s, const char *end,
                         const char *close) {
    const double whole = width_of(s, end) + 2 * latex_break_width(open);
    if (!w->empty && w->at + whole > w->width &&
        (w->at > 0.7 * w->width || whole + INDENT <= w->width))
        new_line(w);
    put_word(w, open);
    w->depth++;
    put_sum(w, s, end);
    w->depth--;
    put(w, close, strlen(close), latex_break_width(close));
    w->joined = false;
}

// \frac{A}{B} that is too long
static void put_fraction(lines *w, const char *s, const char *end) {
    const char *above = strchr(s, '{'), *above_end = behind_group(above, end), *below = above_end,
               *below_end = behind_group(below, end);
    const double wide_below = width_of(below, below_end);
    if (wide_below < w->width / 2) {
        text front = {0};
        text_format(&front, "\\frac{1}%.*s", (int)(below_end - below), below);
        put(w, text_string(&front), front.length, wide_below + 3);
        text_free(&front);
        w->joined = true;
        put_brackets(w, "\\Bigl(", above + 1, above_end - 1, "\\Bigr)");
    } else {
        put_brackets(w, "\\Bigl(", above + 1, above_end - 1, "\\Bigr)");
        w->joined = true;
        put_brackets(w, "\\Bigl(", below + 1, below_end - 1, "\\Bigr)^{-1}");
    }
    put(w, below_end, (size_t)(end - below_end), width_of(below_end, end));
    w->joined = false;
}

// The bracket in a factor: \sin\left(..\right)^{2}; false if there is none to open
static bool put_opened(lines *w, const char *s, const char *end) {
    const char *open = s;
    while (open < end && strncmp(open, "\\left(", 6) != 0 && strncmp(open, "\\left|", 6) != 0)
        open = next_piece(open, end);
    if (open >= end) return false;
    const char *behind = behind_group(open, end);
    const bool bar = open[5] == '|';
    if (open > s) put(w, s, (size_t)(open - s), width_of(s, open)), w->joined = true;
    put_brackets(w, bar ? "\\bigl|" : "\\bigl(", open + 6, behind - 7, bar ? "\\bigr|" : "\\bigr)");
    put(w, behind, (size_t)(end - behind), width_of(behind, end));
    return true;
}

static void put_factor(lines *w, const char *s, const char *end) {
    const double width = width_of(s, end);
    if (w->at + width <= w->width) {
        put(w, s, (size_t)(end - s), width);
        w->joined = false;
        return;
    }
    const bool opened = width > w->width - INDENT && w->depth < DEEPEST;
    if (opened && strncmp(s, "\\frac{", 6) == 0) put_fraction(w, s, end);
    else if (opened && strncmp(s, "\\sqrt{", 6) == 0) {
        const char *behind = behind_group(s + 5, end);
        put_brackets(w, "\\bigl(", s + 6, behind - 1, "\\bigr)^{1/2}");
        put(w, behind, (size_t)(end - behind), width_of(behind, end));
    } else if (opened && strncmp(s, "e^{", 3) == 0) {
        put_word(w, "\\exp");
        put_brackets(w, "\\bigl(", s + 3, behind_group(s + 2, end) - 1, "\\bigr)");
    } else if (!opened || !put_opened(w, s, end)) {
        if (!w->empty && !w->joined) {
            new_line(w);
            text_append(w->out, "{}\\cdot ");
            w->at += 8;
        }
        put(w, s, (size_t)(end - s), width);
    }
    w->joined = false;
}

// A term with its sign: whole, or factor by factor
static void put_term(lines *w, const char *sign, const char *s, const char *end) {
    const double width = width_of(s, end) + (*sign ? 12.5 : 0);
    const bool fits_alone = width + INDENT <= w->width;
    if (w->at + width > w->width && !w->empty && (!w->joined || *sign || fits_alone)) new_line(w);
    if (*sign) {
        text_append(w->out, w->empty ? "{}" : " ");
        put_word(w, sign);
        text_char(w->out, ' ');
    }
    if (w->at + width <= w->width) {
        put(w, s, (size_t)(end - s), width);
        w->joined = false;
        return;
    }
    while (s < end) {
        const char *factor = end_of_factor(s, end);
        put_factor(w, s, factor);
        s = factor < end ? factor + 1 : end;
        if (s < end) put(w, " ", 1, 0.5);
    }
}

static void put_sum(lines *w, const char *s, const char *end) {
    const char *sign = "";
    if (s < end && *s == '-') put_word(w, "-"), s++;
    while (s < end) {
        const char *behind = end_of_term(s, end);
        put_term(w, sign, s, behind);
        if (behind >= end) return;
        sign = behind[1] == '+' ? "+" : "-";
        s = behind + 3;
    }
}

void latex_break(const char *left, const char *right, double width, double most_left, text *out) {
    lines w = {.out = out, .width = width, .empty = true};
    if (latex_break_width(left) <= most_left) {
        text_format(out, "  %s &= ", left);
        put_sum(&w, right, right + strlen(right));
        return;
    }
    text_append(out, "  &");
    w.width += most_left;
    put_sum(&w, left, left + strlen(left));
    if (w.at + latex_break_width(right) + 14 > w.width) new_line(&w);
    text_append(out, w.empty ? "{}= " : " = ");
    w.at += 14, w.empty = false, w.joined = true;
    put_sum(&w, right, right + strlen(right));
}
