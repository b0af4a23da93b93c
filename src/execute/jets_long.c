// Taylor arithmetic in long double.
#include "execute/jets.h"

#include "execute/scalar_long.h"

#define LINKAGE
#define JETS_ALONG
#include "execute/jets_template.h"

jets_long *jets_long_beside(const tape *t, bool is_solution, const double *parameter_value) {
    const uint32_t count = t->input_count - t->state_count - 1;
    long double *wide = memory_array(long double, count + 1);
    for (uint32_t i = 0; i < count; i++) wide[i] = parameter_value[i];
    jets_long *j = jets_long_create(t, is_solution, wide);
    memory_free(wide);
    return j;
}
