// hamel map: what becomes of runs, over two parameters.
#include "sweep_map.h"

const command command_map = {
    .name = "map",
    .purpose = "what becomes of runs, over two parameters",
    .description =
        "As `basin`, over parameters: where a motion stays up or falls, turns over or not. "
        "For the stability of steady motions `hamel stability` with two --vary has the "
        "curves themselves.",
    .operands = {{.name = "MODEL", .kind = VALUE_MODEL}},
    .options = map_options,
    .examples = {{"map driven_pendulum --vary \"A=0.5..1.5\" --vary \"q=1..3\" --until 40 "
                  "--by \"theta/6.3\"",
                  "its turns"}},
    .run = map_run,
};
