// What the templates are made for: double. One of these headers stands before each template; the
// names in them are the same.
#define SCALAR double
#define NAME(x) x
#define JETS(verb) jets_##verb
#define LIBRARY(x) x
#define MULTIPLY_ADD(a, b, c) ((a) * (b) + (c))
