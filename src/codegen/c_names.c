// Names of a model as C identifiers.
#include "codegen/c_names.h"

#include "base/text.h"

#include <string.h>

// Keywords; functions and macros of math.h that a body may need; the parameters of generated
// functions; what a file or a rule of make is called.
static const char *const reserved[] = {"auto",
                                       "break",
                                       "case",
                                       "char",
                                       "const",
                                       "continue",
                                       "default",
                                       "do",
                                       "double",
                                       "else",
                                       "enum",
                                       "extern",
                                       "float",
                                       "for",
                                       "goto",
                                       "if",
                                       "inline",
                                       "int",
                                       "long",
                                       "register",
                                       "restrict",
                                       "return",
                                       "short",
                                       "signed",
                                       "sizeof",
                                       "static",
                                       "struct",
                                       "switch",
                                       "typedef",
                                       "union",
                                       "unsigned",
                                       "void",
                                       "volatile",
                                       "while",
                                       "asm",
                                       "bool",
                                       "complex",
                                       "imaginary",
                                       "sin",
                                       "cos",
                                       "tan",
                                       "asin",
                                       "acos",
                                       "atan",
                                       "atan2",
                                       "sinh",
                                       "cosh",
                                       "tanh",
                                       "exp",
                                       "log",
                                       "sqrt",
                                       "pow",
                                       "fabs",
                                       "NAN",
                                       "INFINITY",
                                       "HUGE_VAL",
                                       "HUGE_VALF",
                                       "HUGE_VALL",
                                       "MATH_ERRNO",
                                       "MATH_ERREXCEPT",
                                       "math_errhandling",
                                       "DOMAIN",
                                       "SING",
                                       "OVERFLOW",
                                       "UNDERFLOW",
                                       "PLOSS",
                                       "TLOSS",
                                       "t",
                                       "z",
                                       "p",
                                       "c",
                                       "kept",
                                       "out",
                                       "s",
                                       "main",
                                       "run",
                                       "all",
                                       "clean",
                                       "linux",
                                       "unix"};

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static void spell(const char *name, text *out) {
    if (!is_letter(name[0])) text_char(out, 'n');
    for (; *name; name++) {
        if (is_letter(*name) || is_digit(*name) || *name == '_') text_char(out, *name);
        else if (*name == '\'') text_append(out, "_dot");
        else if (*name == '-') text_char(out, 'm');
        else if (*name != ']') text_char(out, '_');
    }
}

static bool is_numbered(const char *name, const char *word) {
    const size_t length = strlen(word);
    return strncmp(name, word, length) == 0 && name[length] &&
           strspn(name + length, "0123456789") == strlen(name + length);
}

// Temporaries are r1, r2 .., matrix1 ..; FP_.. are macros of math.h
static bool is_own(const char *name) {
    if (strncmp(name, "FP_", 3) == 0) return true;
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (strcmp(name, reserved[i]) == 0) return true;
    return is_numbered(name, "r") || is_numbered(name, "matrix") || is_numbered(name, "solution") ||
           is_numbered(name, "rows");
}

const char *c_names_identifier(arena *a, names *taken, const char *name) {
    text plain = {0};
    spell(name, &plain);
    const char *as = arena_copy(a, text_string(&plain), plain.length);
    for (unsigned other = 2; is_own(as) || !names_put(taken, as, 0); other++)
        as = arena_format(a, "%s_%u", text_string(&plain), other);
    text_free(&plain);
    return as;
}
