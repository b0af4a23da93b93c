// Ctrl-C and SIGTERM during a run whose rows are worth keeping: it stops after the step under way,
// and what was computed is written. `simulate` and `section` heed them.
#ifndef HAMEL_CLI_INTERRUPTS_H
#define HAMEL_CLI_INTERRUPTS_H

#include <stdbool.h>

// From here on a signal is kept for the library, which looks at what this points to
const volatile int *interrupts_heed(void);
// From here on signals end the program again. Was there one?
bool interrupts_leave(void);

#endif
