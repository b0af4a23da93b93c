// The end of a step of Taylor's method by what the processor has.
#include "integrate/series_end.h"

#include "base/processor.h"

const series_end *series_end_here(void) {
    return processor_fuses() ? &series_end_fused : &series_end_plain;
}
