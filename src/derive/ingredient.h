// The named ingredients of the formalisms: what `derive` lists below the equations. Long lists and
// long entries are left out, so that a large system costs and shows no more than its equations;
// what is left out is said, so that everything else that is absent is 0.
#ifndef HAMEL_DERIVE_INGREDIENT_H
#define HAMEL_DERIVE_INGREDIENT_H

#include "derive/manifold.h"
#include "equations/equations.h"

enum {
    INGREDIENT_COORDINATES = 8, // beyond this many coordinates families of ingredients are left out
    INGREDIENT_WEIGHT = 600,    // longest entry, in expr_weight() units
    INGREDIENT_EFFORT = 4000,   // longest entry that one tries to make short enough
};

bool ingredient_wanted(const mechanics *s);
// Where they are not: these are left out, whatever they are.
void ingredient_leave_out(equations *eq, const char *names);

// List `value` under this name unless it is zero; left out if it stays long.
// Claims can name it in any case.
void ingredient_define(equations *eq, const char *name, const char *latex, expr value);
// In shortest form, unless it is so long that this is not worth the time.
expr ingredient_simplify(const mechanics *s, expr e);
// Add words to the remark of the equations.
void ingredient_remark(equations *eq, const char *words);

// Names in LaTeX: a symbol as it is written, \dot{\theta}; the coordinate, quasi-velocity .. behind
// it, \theta; a name that is no symbol (of a point, a body). As text they are expr_symbol_text()
// and expr_symbol_name().
const char *ingredient_latex(const mechanics *s, expr symbol);
const char *ingredient_base_latex(const mechanics *s, expr symbol);
const char *ingredient_name_latex(const mechanics *s, const char *name);

// alpha_nu(q, q'_ind, t), the dependent velocities, where they have a closed form;
// dalpha_nu/dq'_i (T18 (2), (9)).
void ingredient_define_alpha(equations *eq, const manifold *m);

#endif
