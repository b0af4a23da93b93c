// Operations of a tape by the time they take.
#include "integrate/forecast.h"

#include <math.h>

static double price(tape_operation operation) {
    static const double DIVISION = 5, FUNCTION = 20;
    switch (operation) {
    case TAPE_ADD:
    case TAPE_SUB:
    case TAPE_MUL:
    case TAPE_NEG:
    case TAPE_ABS:
    case TAPE_SIGN: return 1;
    case TAPE_DIV:
    case TAPE_SQRT: return DIVISION;
    case TAPE_SOLVED: return 0; // by its system
    default: return FUNCTION;
    }
}

double forecast_rounded(double operations) {
    if (!(operations >= 100)) return operations;
    const double unit = pow(10, floor(log10(operations)) - 1);
    return nearbyint(operations / unit) * unit;
}

double forecast_of_tape(const tape *t) {
    double sum = 0;
    for (uint32_t i = 0; i < t->step_count; i++)
        if (t->step[i].level != TAPE_FIXED) sum += price(t->step[i].operation);
    for (uint32_t i = 0; i < t->system_count; i++) { // n^3/3 for L U, 2 n^2 for one solution
        const double n = t->system[i].n;
        sum += n * n * (2 * n / 3 + 2);
    }
    return sum;
}
