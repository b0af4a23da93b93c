// What the templates are made for: long double. A template includes one of these first; the names
// in it are the same in all of them.
#define SCALAR long double
#define NAME(x) x##_long
#define LIBRARY(x) x##l
