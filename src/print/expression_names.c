// Names in the three styles: theta[1]' is \dot{\theta}_{1} in LaTeX and theta_1_t in SymPy.
#include "base/latex_name.h"
#include "print/expression.h"
#include "print/expression_sympy_names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// --- SymPy ---------------------------------------------------------------------------------------

static int by_name(const void *a, const void *b) {
    return strcmp((const char *)a, *(const char *const *)b);
}

static size_t word_length(const char *name) {
    size_t length = 0;
    while (isalnum((unsigned char)name[length]) || name[length] == '_') length++;
    return length;
}

// Is this what indices, primes and components look like: 12, m3 (for -3), tt, x?
static bool is_suffix(const char *part, size_t length, bool component) {
    if (!length) return true;
    if (component && length == 1 && strchr("xyz", *part)) return true;
    if (strspn(part, "t") >= length) return true;
    const size_t sign = *part == 'm' && length > 1;
    return sign + strspn(part + sign, "0123456789") >= length;
}

// Where a word stands: by itself; in lambda[..] or delta(..), where all of it may look like an
// index.
typedef enum { WORD_ALONE, WORD_LABEL, WORD_VARIED } word_place;

// Could the word be taken for one that is put together here? Then it gets an underscore behind it.
static bool is_ambiguous(const char *word, size_t length, word_place where) {
    static const char *const heads[] = {"lam_", "delta_", "transpose_"};
    size_t last = length;
    while (last > 0 && word[last - 1] != '_') last--;
    if ((last || where != WORD_ALONE) &&
        is_suffix(word + last, length - last, last && where == WORD_LABEL))
        return true;
    for (size_t i = 0; i < sizeof heads / sizeof *heads && where == WORD_ALONE; i++)
        if (strncmp(word, heads[i], strlen(heads[i])) == 0) return true;
    return where == WORD_ALONE && length == 3 && strncmp(word, "lam", 3) == 0;
}

static const char *sympy_word(const char *name, word_place where, text *out) {
    const size_t length = word_length(name);
    text_append_n(out, name, length);
    if (length && is_ambiguous(name, length, where)) text_char(out, '_');
    return name + length;
}

// word, its indices and component joined by underscores, then _t for a prime: see expression.h.
static void sympy_name(const char *name, uint32_t primes, word_place where, text *out) {
    const size_t start = out->length;
    const bool lambda = strncmp(name, "lambda", 6) == 0 && word_length(name) == 6;
    if (lambda) // a keyword of Python
        text_append(out, "lam"), name += 6;
    else name = sympy_word(name, where, out);
    if (lambda && *name == '[' && isalpha((unsigned char)name[1])) {
        text_char(out, '_');
        name = sympy_word(name + 1, WORD_LABEL, out);
    }
    for (; *name; name++) {
        if (isalnum((unsigned char)*name) || *name == '_') text_char(out, *name);
        else if (*name == '-') text_char(out, 'm');
        else if (*name != ']' && *name != ')' && *name != ' ') text_char(out, '_');
    }
    if (primes) text_char(out, '_'), text_repeat(out, 't', primes);
    if (bsearch(out->bytes + start, sympy_taken, sizeof sympy_taken / sizeof *sympy_taken,
                sizeof *sympy_taken, by_name))
        text_char(out, '_');
}

// --- all -----------------------------------------------------------------------------------------

void print_name(const char *name, uint32_t primes, print_style style, text *out) {
    switch (style) {
    case STYLE_TEXT: text_append(out, name), text_repeat(out, '\'', primes); return;
    case STYLE_LATEX: latex_name(name, primes, out); return;
    case STYLE_SYMPY: sympy_name(name, primes, WORD_ALONE, out); return;
    }
}

// delta(x), transpose(x): the name may carry the word or not.
static void print_variation(const symbol *s, print_style style, text *out) {
    const char *word = s->role == ROLE_VARIATION ? "delta" : "transpose", *inner = s->name;
    size_t length = strlen(inner);
    const size_t prefix = strlen(word);
    if (strncmp(inner, word, prefix) == 0 && inner[prefix] == '(' && inner[length - 1] == ')') {
        inner += prefix + 1;
        length -= prefix + 2;
    }
    text name = {0};
    text_append_n(&name, inner, length);
    if (style == STYLE_LATEX && s->role == ROLE_TRANSPOSE) {
        text_append(out, "\\left(\\delta ");
        print_name(text_string(&name), 1, style, out);
        text_append(out, " - \\tfrac{d}{dt} \\delta ");
        print_name(text_string(&name), 0, style, out);
        text_append(out, "\\right)");
    } else {
        text_append(out, style == STYLE_LATEX ? "\\delta " : word);
        if (style != STYLE_LATEX) text_char(out, style == STYLE_TEXT ? '(' : '_');
        if (style == STYLE_SYMPY) sympy_name(text_string(&name), s->order, WORD_VARIED, out);
        else print_name(text_string(&name), s->order, style, out);
        if (style == STYLE_TEXT) text_char(out, ')');
    }
    text_free(&name);
}

void print_symbol_name(const pool *p, expr e, print_style style, text *out) {
    const symbol *s = expr_as_symbol(p, e);
    if (s->role == ROLE_VARIATION || s->role == ROLE_TRANSPOSE) print_variation(s, style, out);
    else print_name(s->name, s->order, style, out);
}
