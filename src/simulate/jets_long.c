// Taylor arithmetic in long double.
#include "simulate/jets.h"
#include "simulate/scalar_long.h"

#include "simulate/jets_template.h"
