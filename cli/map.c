// hamel map: what becomes of runs, over two parameters.
#include "shared_options.h"
#include "sweep_map.h"

const command command_map = {
    .name = "map",
    .purpose = "what becomes of runs, over two parameters",
    .description =
        "As `basin`, over parameters: where a motion stays up or falls, turns over or not. "
        "For the stability of steady motions `hamel stability` with two --vary has the "
        "curves themselves.",
    .operands = {{.name = "MODEL", .kind = VALUE_MODEL}},
    .options = (const option *const[]){&map_vary,      &map_by,         &map_cells,
                                       &map_depth,     &map_whole,      &map_threads,
                                       &map_output,    &map_figure,     &map_plot,
                                       &option_until,  &option_at,      &option_form,
                                       &option_method, &option_tol,     &option_step,
                                       &option_exec,   &option_project, &option_json,
                                       &option_set,    &option_limit,   NULL},
    .examples = {{"map driven_pendulum --vary \"A=0.5..1.5\" --vary \"q=1..3\" --until 40 "
                  "--by \"theta/6.3\"",
                  "its turns"}},
    .run = map_run,
};
