// What the host of lanes and the code of lanes share: src/sweep/lanes_host.h has the same structs.
// Numbers of a run stand one behind the other; a view is one lane with all of its numbers.
typedef struct {
    double t, h, t1;   // the step from t to t1 that was tried
    double *z, *z1;    // its ends
    double *k;         // stages, STAGES rows of ROW numbers
    double *low, *high; // the box in which nothing has to be looked at
    double *turns, *rest; // rest: what z has beyond double, by Taylor's method
    double energy0, energy; // at both ends
    // by series, as the host sees a step before it is tried: nothing has to be looked at, during it
    // or after it; it has to be looked at inside at each try; from the next step on the run goes by
    // steps of the usual order
    int known, hides, tired;
} lanes_view;

typedef enum { LANE_GOES_ON, LANE_SHORTER, LANE_STOPS, LANE_GIVEN_UP } lanes_verdict;
typedef enum { RUN_IS_REACHED, RUN_IS_STOPPED, RUN_IS_GIVEN_UP } lanes_ending;

typedef struct {
    double tolerance, end;
    uint64_t count;
    const double *start; // of each run: t, z, parameters
    double *first;       // .. h, dz/dt: room for the first steps
    double *out;         // .. extremes, means, finals
    double *until;       // .. t where it ended
    unsigned char *ended; // .. a lanes_ending
    double *end_state;   // .. t, z, turns: room for what is asked at the end
    lanes_view *view;
    void *host;
    // A run begins in a lane, from view->t and view->z, with these parameters: sets the box, turns
    void (*begin)(void *host, unsigned lane, uint64_t run, const double *parameters);
    // A step that leaves the box, or does not keep the energy. Shorter: to view->h; stops: at
    // view->t1, where the state is view->z1
    lanes_verdict (*look)(void *host, unsigned lane);
    // By series: a step of the length view->h is going to be tried, for the first time or `again`.
    // Shorter: to view->h
    lanes_verdict (*look_ahead)(void *host, unsigned lane, int again);
    int (*keeps_energy)(void *host, unsigned lane); // does the step?
    // Whole turns off view->z
    void (*shift)(void *host, unsigned lane);
    void (*weights)(double theta, double *b);
    const volatile int *interrupted;
    uint64_t steps, rejected, looks, tries; // of all lanes; attempts of vectors
} lanes_job;
