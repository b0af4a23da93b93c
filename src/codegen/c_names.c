// What names in generated C must not be: keywords; functions and macros of math.h that a body may
// need; the parameters of generated functions; what a file or a rule of make is called.
#include "codegen/identifier.h"

// clang-format off
static const char *const words[] = {
    "auto", "break", "case", "char", "const", "continue", "default", "do",
    "double", "else", "enum", "extern", "float", "for", "goto", "if",
    "inline", "int", "long", "register", "restrict", "return", "short", "signed",
    "sizeof", "static", "struct", "switch", "typedef", "union", "unsigned", "void",
    "volatile", "while", "asm", "bool", "complex", "imaginary", "sin", "cos",
    "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh",
    "exp", "log", "sqrt", "pow", "fabs", "NAN", "INFINITY", "HUGE_VAL",
    "HUGE_VALF", "HUGE_VALL", "MATH_ERRNO", "MATH_ERREXCEPT", "math_errhandling", "DOMAIN", "SING", "OVERFLOW",
    "UNDERFLOW", "PLOSS", "TLOSS", "t", "z", "p", "c", "kept",
    "out", "s", "main", "run", "all", "clean", "linux", "unix",
    NULL};
// clang-format on
static const char *const beginnings[] = {"FP_", NULL}; // macros of math.h

const identifier_rules identifier_rules_c = {.words = words, .beginnings = beginnings};
