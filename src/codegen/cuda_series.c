// Taylor coefficients for a thread of a GPU, where the equations have them.
#include "codegen/cuda.h"

#include "codegen/emit.h"
#include "codegen/jet_plan.h"

uint32_t cuda_series(const tape *rate, uint32_t most, text *out) {
    if (rate->system_count || jet_kink(rate)) return 0;
    return emit_jet(rate, &scalar_type_gpu, "hamel_series", most, EMIT_JET_IN_ROWS, out);
}
