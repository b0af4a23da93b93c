// Characters beyond ASCII: Greek letters by their English names.
#include "parse/token.h"

const char *unicode_greek(uint32_t code) {
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
