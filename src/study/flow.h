// The flow of a system with its derivatives: a motion z(t), and beside it columns Z = dz/dv that
// obey the variational equations (execute/variation.h). Made of a run that is ready to begin; set
// it at a state, let it go on to as many times as wanted, read state and columns there.
//
// Where other independent velocities are chosen on the way (simulate/charts.h) the columns go with
// the state: the velocities of the new choice are functions q'(t, z) of the old, and their columns
// (dq'/dz) Z. Whole turns taken off angles change no derivative.
#ifndef HAMEL_STUDY_FLOW_H
#define HAMEL_STUDY_FLOW_H

#include "execute/variation.h"
#include "simulate/run.h"

typedef struct flow flow;

// The run gives system, tolerance, charts and shifts; it must outlive the flow. `execute`: as for
// a field (execute/compiled.h). A method of many steps or of fixed ones is not used
flow *flow_create(run *r, const variation_request *asked, const char *execute, double end);
void flow_free(flow *w);

// Other values of the parameters, from the next start on
void flow_set_parameters(flow *w, const double *value);
// At (t, z) in the chart in which the run begins, with these columns, one after another
void flow_start(flow *w, double t, const double *z, const double *columns);
// On to a later time. RUN_DONE, or why it could not go on.
run_status flow_run(flow *w, double until);
const char *flow_outcome(const flow *w, run_status status); // in words

double flow_time(const flow *w);
uint64_t flow_steps(const flow *w);
double flow_tolerance(const flow *w);
// Of the chart that it is in: the system without columns, and z with its columns behind it, which
// may be changed between runs.
const simulation *flow_system(const flow *w);
const simulation *flow_extended(const flow *w); // with columns
double *flow_state(flow *w);
// z and columns as the chart of the start has them (turns are left off); false where they have no
// finite values there
bool flow_in_first_chart(flow *w, double *out);
// z' at a state of the first chart
bool flow_rate(flow *w, double t, const double *z, double *out);
// q', and behind it dq' of each column, and second ones; false where they have no finite values
bool flow_velocities(flow *w, double *out);

#endif
