// Taylor arithmetic in long double.
#include "simulate/jets.h"

#define SCALAR long double
#define NAME(x) x##_long
#include "simulate/jets_template.h"
