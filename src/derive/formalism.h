// A formalism: one file, one descriptor, one line in formalisms.def. It is a pure function from a
// `const mechanics` to an `equations` object, with words about itself from which `hamel forms`, the
// pages of docs/formalisms and the outputs are made; docs/mathematics.md derives its formula. Ask
// formalism_refusal() before formalism_derive().
#ifndef HAMEL_DERIVE_FORMALISM_H
#define HAMEL_DERIVE_FORMALISM_H

#include "equations/equations.h"

typedef struct formalism {
    const char *id;      // "maggi"
    const char *name;    // in words: "Maggi's equations"
    const char *paper;   // where it comes from
    const char *formula; // the equations in one line
    const char *latex;   // the same, as a textbook sets it
    const char *history; // who, when, and what for
    const char *use;     // when to take it
    const char *lists;   // its quantities, by name; NULL: none
    const char *applies; // when, in words
    // NULL: the classical motion; else the id of another mechanics, never to be mixed with it
    const char *mechanics;
    const char *option;      // what "with NAME = E" may set; NULL: nothing
    bool multiplier_is_rate; // its papers write the multiplier as lambda'; claims may, too
    // of the constraints it treats; 0 stands for 1, positions and velocities
    uint32_t highest_order;
    // NULL if it applies, else the reason why not.
    const char *(*refusal)(const mechanics *s);
    // Fill eq by this formalism's own route. The system satisfies refusal() == NULL.
    void (*derive)(const mechanics *s, equations *eq);
} formalism;

uint32_t formalism_count(void);
const formalism *formalism_at(uint32_t index);
const formalism *formalism_find(const char *id);
const char *formalism_nearest(const char *id); // for a misspelt id; NULL if none is near

// Reason why a form cannot treat this system, its own or a general one (constraints of order
// 2 and higher); NULL if it applies.
const char *formalism_refusal(const formalism *f, const mechanics *s);
// The form to take where nobody names one: maggi, or multipliers where
// constraints of order 3 leave no other.
const formalism *formalism_default(const mechanics *s);
equations *formalism_derive(const formalism *f, const mechanics *s);

#endif
