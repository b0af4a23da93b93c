// Ctrl-C and SIGTERM during a run.
#include "interrupts.h"

#include <signal.h>
#include <stddef.h>

static volatile int interrupted;

// The run stops after the step under way, and what was computed is kept; before it begins the
// command ends. By a second Ctrl-C the program ends at once; SIGTERM is often sent twice (`timeout`
// sends it to the process and to its group), and who means it has SIGKILL.
static void on_interrupt(int signal_number) {
    interrupted = 1;
    if (signal_number == SIGINT) signal(SIGINT, SIG_DFL);
}

static void answer(void (*handler)(int signal_number)) {
    const struct sigaction as = {.sa_handler = handler};
    sigaction(SIGINT, &as, NULL), sigaction(SIGTERM, &as, NULL);
}

const volatile int *interrupts_heed(void) {
    answer(on_interrupt);
    return &interrupted;
}

bool interrupts_leave(void) {
    answer(SIG_DFL);
    return interrupted;
}
