// What the templates are made for: double. A template includes one of these first; the names in it
// are the same in all of them.
#define SCALAR double
#define NAME(x) x
#define LIBRARY(x) x
