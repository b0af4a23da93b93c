// What the templates are made for: double with fused products, a * b + c rounded once. One of these
// headers stands before each template; the names in them are the same.
#define SCALAR double
#define NAME(x) x##_fused
#define JETS(verb) jets_fused_##verb
#define LIBRARY(x) x
#define MULTIPLY_ADD(a, b, c) fma(a, b, c)
