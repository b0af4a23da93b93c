// What the templates are made for: double.
#define SCALAR double
#define NAME(x) x
#define LIBRARY(x) x
