// What the templates are made for: long double. One of these headers stands before each template;
// the names in them are the same.
#define SCALAR long double
#define NAME(x) x##_long
#define JETS(verb) jets_long_##verb
#define LIBRARY(x) x##l
#define MULTIPLY_ADD(a, b, c) ((a) * (b) + (c))
