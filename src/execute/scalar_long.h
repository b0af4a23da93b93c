// What the templates are made for: long double.
#define SCALAR long double
#define NAME(x) x##_long
#define LIBRARY(x) x##l
