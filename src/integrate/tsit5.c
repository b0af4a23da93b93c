// Tsitouras' Runge-Kutta pair of order 5(4) (Tsitouras 2011): seven stages, the last one the first
// of the next step, with a free interpolant of order 4.
#include "integrate/runge_kutta.h"

enum { STAGES = 7, LAST = 6 };

static const double C[MOST_STAGES] = {0, 0.161, 0.327, 0.9, 0.9800255409045097, 1, 1};
static const double A[MOST_STAGES][MOST_STAGES] = {
    {0},
    {0.161},
    {-0.008480655492356989, 0.335480655492357},
    {2.8971530571054935, -6.359448489975075, 4.3622954328695815},
    {5.325864828439257, -11.748883564062828, 7.4955393428898365, -0.09249506636175525},
    {5.86145544294642, -12.92096931784711, 8.159367898576159, -0.071584973281401,
     -0.028269050394068383},
    {0.09646076681806523, 0.01, 0.4798896504144996, 1.379008574103742, -3.290069515436081,
     2.324710524099774},
};
#define WEIGHT A[LAST]
// b - b^, the error of order 4
static const double ERROR[STAGES] = {
    -0.00178001105222577714, -0.0008164344596567469, 0.007880878010261995, -0.1447110071732629,
    0.5823571654525552,      -0.45808210592918697,   0.015151515151515152};

// Weights of the interpolant at theta in [0, 1] (Tsitouras 2011, section 4).
static void weights(double x, double *b) {
    b[0] = -1.0530884977290216 * x * (x - 1.3299890189751412) *
           (x * x - 1.4364028541716351 * x + 0.7139816917074209);
    b[1] = 0.1017 * x * x * (x * x - 2.1966568338249754 * x + 1.2949852507374631);
    b[2] = 2.490627285651252793 * x * x * (x * x - 2.38535645472061657 * x + 1.57803468208092486);
    b[3] = -16.54810288924490272 * (x - 1.21712927295533244) * (x - 0.61620406037800089) * x * x;
    b[4] = 47.37952196281928122 * (x - 1.203071208372362603) * (x - 0.658047292653547382) * x * x;
    b[5] = -34.87065786149660974 * (x - 1.2) * (x - 0.666666666666666667) * x * x;
    b[6] = 2.5 * (x - 1) * (x - 0.6) * x * x;
}

#include "integrate/runge_kutta_template.h"

static const tableau numbers = {.order = 5,
                                .dense_order = 4,
                                .last = LAST,
                                .stages = STAGES,
                                .c = C,
                                .a = A,
                                .b = WEIGHT,
                                .error_order = 5,
                                .error = ERROR,
                                .error_needs_last = true,
                                .weights = weights};

const integrator integrator_tsit5 = {
    .id = "tsit5",
    .name = "Runge-Kutta 5(4) of Tsitouras",
    .paper = "Tsitouras 2011",
    .about = "equations with kinks (`abs`, `sign`, `min`, `max`); few digits",
    .order = 5,
    .kinks = true,
    .stable = 3.5,
    .tableau = &numbers,
    .attempt = attempt,
    .integrate = runge_kutta_integrate,
};
