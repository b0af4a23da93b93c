// Taylor arithmetic in double.
#include "simulate/jets.h"

#define SCALAR double
#define NAME(x) x
#include "simulate/jets_template.h"
