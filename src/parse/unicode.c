// Characters beyond ASCII: Greek letters by their English names, and look-alikes of marks.
#include "parse/token.h"

const char *letter_greek(uint32_t code) {
    static const char *const small[] = {
        "alpha", "beta",   "gamma",   "delta", "epsilon", "zeta",    "eta",  "theta", "iota",
        "kappa", "lambda", "mu",      "nu",    "xi",      "omicron", "pi",   "rho",   "sigma",
        "sigma", "tau",    "upsilon", "phi",   "chi",     "psi",     "omega"};
    static const char *const capital[] = {
        "Alpha", "Beta",   "Gamma",   "Delta", "Epsilon", "Zeta",    "Eta",  "Theta", "Iota",
        "Kappa", "Lambda", "Mu",      "Nu",    "Xi",      "Omicron", "Pi",   "Rho",   NULL,
        "Sigma", "Tau",    "Upsilon", "Phi",   "Chi",     "Psi",     "Omega"};
    if (code >= 0x3B1 && code <= 0x3C9) return small[code - 0x3B1];
    if (code >= 0x391 && code <= 0x3A9) return capital[code - 0x391];
    switch (code) { // the variant forms
    case 0x3D1: return "theta";
    case 0x3D5: return "phi";
    case 0x3D6: return "pi";
    case 0x3F0: return "kappa";
    case 0x3F1: return "rho";
    case 0x3F5: return "epsilon";
    case 0xB5: return "mu";
    default: return NULL;
    }
}

const char *letter_advice(uint32_t code) {
    switch (code) {
    case ';': return "a statement ends at the end of its line";
    case '!':
    case '<':
    case '>': return "the language has equations only: write `=`";
    case '&':
    case '|': return "the language has no logical operators";
    case '@':
    case '$':
    case '%':
    case '?':
    case '~':
    case '\\':
    case '`': return "names are made of letters, digits and `_`";
    case 0x2212:
    case 0x2013:
    case 0x2014: return "write `-` for minus";
    case 0xB7:
    case 0xD7:
    case 0x2219:
    case 0x22C5: return "write `*` for a product";
    case 0xF7:
    case 0x2215: return "write `/` for a quotient";
    case 0xB2: return "write `^2` for a square";
    case 0xB3: return "write `^3` for a cube";
    case 0x221A: return "write `sqrt(...)` for a root";
    case 0x2211: return "write `sum(i in 1..N, ...)` for a sum";
    case 0x2018:
    case 0x2019: return "write ' for a time derivative";
    case 0x201C:
    case 0x201D: return "write \" around a text";
    case 0x2026: return "write `..` for a range";
    default: return NULL;
    }
}
