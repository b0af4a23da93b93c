// What the translator reads and writes, piece by piece, and the commands that stand for one
// character or one word.
#include "print/mathml_internal.h"

#include "base/html.h"

#include <ctype.h>
#include <string.h>

void mathml_write(translator *t, const char *markup) { text_append(t->out, markup); }

void mathml_insert(translator *t, size_t place, const char *markup) {
    const size_t size = strlen(markup), behind = t->out->length - place;
    text_append(t->out, markup);
    memmove(t->out->bytes + place + size, t->out->bytes + place, behind);
    memcpy(t->out->bytes + place, markup, size);
}

double mathml_scale(const translator *t) { return t->script ? 0.7 : 1; }

void mathml_leaf(translator *t, const char *open, const char *content, size_t length,
                 const char *close) {
    mathml_write(t, open);
    html_text_n(content, length, t->out);
    mathml_write(t, close);
    t->width += (double)length * mathml_scale(t);
}

void mathml_character(translator *t, const char *open, const char *content, const char *close) {
    text_format(t->out, "%s%s%s", open, content, close);
    t->width += mathml_scale(t);
}

before mathml_fail(translator *t) {
    t->wrong = true;
    t->at += strlen(t->at);
    return AFTER_NOTHING;
}

bool mathml_skip_blanks(translator *t) {
    const char *start = t->at;
    while (isspace((unsigned char)*t->at)) t->at++;
    return t->at != start;
}

bool mathml_accept(translator *t, const char *word) {
    const size_t length = strlen(word);
    if (strncmp(t->at, word, length) != 0 ||
        (isalpha((unsigned char)word[length - 1]) && isalpha((unsigned char)t->at[length])))
        return false;
    t->at += length;
    return true;
}

void mathml_expect(translator *t, const char *word) {
    if (!t->wrong && !mathml_accept(t, word)) mathml_fail(t);
}

// clang-format off
static const sign signs[] = {
    {"alpha", SIGN_LETTER, "α"}, {"beta", SIGN_LETTER, "β"}, {"gamma", SIGN_LETTER, "γ"}, {"epsilon", SIGN_LETTER, "ϵ"},
    {"varepsilon", SIGN_LETTER, "ε"}, {"zeta", SIGN_LETTER, "ζ"}, {"eta", SIGN_LETTER, "η"}, {"theta", SIGN_LETTER, "θ"},
    {"iota", SIGN_LETTER, "ι"}, {"kappa", SIGN_LETTER, "κ"}, {"lambda", SIGN_LETTER, "λ"}, {"mu", SIGN_LETTER, "μ"},
    {"nu", SIGN_LETTER, "ν"}, {"xi", SIGN_LETTER, "ξ"}, {"pi", SIGN_LETTER, "π"}, {"rho", SIGN_LETTER, "ρ"},
    {"sigma", SIGN_LETTER, "σ"}, {"tau", SIGN_LETTER, "τ"}, {"upsilon", SIGN_LETTER, "υ"}, {"phi", SIGN_LETTER, "ϕ"},
    {"varphi", SIGN_LETTER, "φ"}, {"chi", SIGN_LETTER, "χ"}, {"psi", SIGN_LETTER, "ψ"}, {"omega", SIGN_LETTER, "ω"},
    {"Gamma", SIGN_UPRIGHT, "Γ"}, {"Delta", SIGN_UPRIGHT, "Δ"}, {"Theta", SIGN_UPRIGHT, "Θ"}, {"Lambda", SIGN_UPRIGHT, "Λ"},
    {"Xi", SIGN_UPRIGHT, "Ξ"}, {"Pi", SIGN_UPRIGHT, "Π"}, {"Sigma", SIGN_UPRIGHT, "Σ"}, {"Upsilon", SIGN_UPRIGHT, "Υ"},
    {"Phi", SIGN_UPRIGHT, "Φ"}, {"Psi", SIGN_UPRIGHT, "Ψ"}, {"Omega", SIGN_UPRIGHT, "Ω"},
    {"delta", SIGN_PREFIX, "δ"}, {"partial", SIGN_PREFIX, "∂"},
    {"sin", SIGN_FUNCTION, "sin"}, {"cos", SIGN_FUNCTION, "cos"}, {"tan", SIGN_FUNCTION, "tan"},
    {"arcsin", SIGN_FUNCTION, "arcsin"}, {"arccos", SIGN_FUNCTION, "arccos"}, {"arctan", SIGN_FUNCTION, "arctan"},
    {"sinh", SIGN_FUNCTION, "sinh"}, {"cosh", SIGN_FUNCTION, "cosh"}, {"tanh", SIGN_FUNCTION, "tanh"},
    {"ln", SIGN_FUNCTION, "ln"}, {"det", SIGN_FUNCTION, "det"}, {"min", SIGN_FUNCTION, "min"},
    {"cdot", SIGN_OPERATOR, "⋅"}, {"times", SIGN_OPERATOR, "×"}, {"le", SIGN_OPERATOR, "≤"},
    {"sum", SIGN_SUM, "∑"},
    {",", SIGN_SPACE, "0.17em"}, {"quad", SIGN_SPACE, "1em"}, {"qquad", SIGN_SPACE, "2em"},
};
// clang-format on

static const sign *find_sign(const char *name, size_t length) {
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strlen(signs[i].command) == length && memcmp(signs[i].command, name, length) == 0)
            return &signs[i];
    return NULL;
}

const sign *mathml_next_sign(const translator *t) {
    if (*t->at != '\\') return NULL;
    size_t length = 0;
    while (isalpha((unsigned char)t->at[1 + length])) length++;
    return find_sign(t->at + 1, length ? length : 1);
}

const char *mathml_calligraphic(char letter) {
    static const char *const capitals[26] = {"𝒜", "ℬ", "𝒞", "𝒟", "ℰ", "ℱ", "𝒢", "ℋ", "ℐ",
                                             "𝒥", "𝒦", "ℒ", "ℳ", "𝒩", "𝒪", "𝒫", "𝒬", "ℛ",
                                             "𝒮", "𝒯", "𝒰", "𝒱", "𝒲", "𝒳", "𝒴", "𝒵"};
    return letter >= 'A' && letter <= 'Z' ? capitals[letter - 'A'] : NULL;
}
