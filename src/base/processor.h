// What the processor that runs can do beyond the least of its kind. Interpreter and generated code
// ask the same question, so that both round alike on one machine.
#ifndef HAMEL_BASE_PROCESSOR_H
#define HAMEL_BASE_PROCESSOR_H

#include <stdbool.h>
#include <stdint.h>

// Does it compute a * b + c with one rounding, as fast as a * b?
bool processor_fuses(void);
// Does it have 32 registers for vectors, which generated code may use?
bool processor_has_many_registers(void);
// How many doubles its widest vectors hold: 8 (AVX-512), 4 (AVX2); 4 as well where nothing is known
// of it, and a compiler makes of vectors what it can
uint32_t processor_lanes(void);

#endif
