// What CVODE and IDA have in common.
#include "integrate/sundials.h"

run_status sundials_status(integration *in, int flag, const solver_flag *table,
                           const char *otherwise) {
    while (table->flag && table->flag != flag) table++;
    if (!table->flag) return integration_fail(in, otherwise);
    switch (table->means) {
    case SOLVER_NOT_FINITE: return RUN_NOT_FINITE;
    case SOLVER_UNDERFLOW: return RUN_UNDERFLOW;
    case SOLVER_TOO_FINE:
        return integration_fail(in, "the tolerance asks for more than double precision has");
    case SOLVER_SINGULAR: break;
    }
    return integration_fail(in, "the linear systems of the method could not be solved");
}

void sundials_set_matrix(SUNMatrix out, uint32_t n, const double *entry) {
    for (uint32_t j = 0; j < n; j++)
        for (uint32_t i = 0; i < n; i++) SUNDenseMatrix_Column(out, j)[i] = entry[i * n + j];
}

void sundials_be_silent(int code, const char *module, const char *function, char *message,
                        void *data) {
    (void)code, (void)module, (void)function, (void)message, (void)data;
}
