// Names in LaTeX.
#include "base/latex_name.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static bool is_greek(const char *word, size_t length) {
    static const char *const letters[] = {
        "alpha",   "beta",   "gamma", "delta", "epsilon", "zeta",   "eta",   "theta", "iota",
        "kappa",   "lambda", "mu",    "nu",    "xi",      "pi",     "rho",   "sigma", "tau",
        "upsilon", "phi",    "chi",   "psi",   "omega",   "varphi", "Gamma", "Delta", "Theta",
        "Lambda",  "Xi",     "Pi",    "Sigma", "Upsilon", "Phi",    "Psi",   "Omega", "varepsilon",
    };
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (strlen(letters[i]) == length && memcmp(letters[i], word, length) == 0) return true;
    return false;
}

static void latex_word(const char *word, size_t length, text *out) {
    bool digits = true;
    for (size_t i = *word == '-'; i < length; i++)
        digits = digits && isdigit((unsigned char)word[i]);
    if (is_greek(word, length)) text_char(out, '\\'), text_append_n(out, word, length);
    else if (length == 1 || digits) text_append_n(out, word, length);
    else {
        text_append(out, "\\mathrm{");
        for (size_t i = 0; i < length; i++) {
            if (word[i] == '_') text_char(out, '\\');
            text_char(out, word[i]);
        }
        text_char(out, '}');
    }
}

// A word among indices; one letter with a number behind it has that as its
// own index, p[x1] is p_{x_{1}}.
static void latex_index(const char *word, size_t length, text *out) {
    size_t head = 0;
    while (head < length && isalpha((unsigned char)word[head])) head++;
    size_t end = head;
    while (end < length && isdigit((unsigned char)word[end])) end++;
    if (head && head < length && end == length && (head == 1 || is_greek(word, head))) {
        latex_word(word, head, out);
        text_append(out, "_{");
        text_append_n(out, word + head, length - head);
        text_char(out, '}');
    } else {
        latex_word(word, length, out);
    }
}

// Indices: everything after the leading letters, split at brackets, commas, dots and underscores.
static void latex_indices(const char *rest, text *out) {
    bool first = true;
    while (*rest) {
        const size_t skip = strspn(rest, "[],._ ");
        rest += skip;
        const size_t length = strcspn(rest, "[],._ ");
        if (!length) break;
        text_append(out, first ? "_{" : ",");
        latex_index(rest, length, out);
        first = false;
        rest += length;
    }
    if (!first) text_char(out, '}');
}

void latex_name(const char *name, uint32_t primes, text *out) {
    static const char *const dots[] = {"", "\\dot{", "\\ddot{", "\\dddot{"};
    size_t head = 0;
    while (isalpha((unsigned char)name[head])) head++;
    if (!head) head = strcspn(name, "[");
    const bool tilde = name[head] == '~';
    if (primes && primes <= 3) text_append(out, dots[primes]);
    if (tilde) text_append(out, "\\tilde{");
    latex_word(name, head, out);
    if (tilde) text_char(out, '}'), head++;
    if (primes && primes <= 3) text_char(out, '}');
    latex_indices(name + head, out);
    if (primes > 3) text_format(out, "^{(%u)}", primes);
}
