// A field of a system with its columns: rates and Taylor coefficients of z and of the entries of A
// and b by code that is interpreted or compiled, and products with the columns by column_series.h.
// One call makes it of a simulation of variational equations that was taken apart
// (linear_columns.h); an integrator sees no difference to the field of the whole.
#ifndef HAMEL_EXECUTE_COLUMN_FIELD_H
#define HAMEL_EXECUTE_COLUMN_FIELD_H

#include "execute/field.h"

// Of a simulation with `linear`; `how` and `end` as for field_asked_for(). NULL: there is no such
// word; an error says so.
field *column_field(simulation *all, const char *how, double end);

#endif
