// Taylor arithmetic in double.
#include "simulate/jets.h"
#include "simulate/scalar_double.h"

#include "simulate/jets_template.h"
