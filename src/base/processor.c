// What the processor can do.
#include "base/processor.h"

bool processor_has_many_registers(void) {
#if defined __x86_64__
    return processor_fuses() && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq");
#else
    return false; // for others no compiler has to be told
#endif
}

uint32_t processor_lanes(void) {
#if defined __x86_64__
    if (processor_has_many_registers() && __builtin_cpu_supports("avx512f")) return 8;
#endif
    return 4;
}

bool processor_fuses(void) {
#if defined __x86_64__
    return __builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2");
#elif defined __FP_FAST_FMA || defined __aarch64__
    return true;
#else
    return false;
#endif
}
