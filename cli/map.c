// hamel map: what becomes of runs, over two parameters.
#include "sweep_map.h"

const command command_map = {
    .name = "map",
    .purpose = "what becomes of runs, or of stability, over two parameters",
    .description =
        "As `basin`, over parameters: where a motion stays up or falls, turns over or not; with "
        "--stability, where a steady motion is stable. `hamel stability` with two --vary has the "
        "curves between themselves.",
    .operands = {{.name = "MODEL", .kind = VALUE_MODEL}},
    .options = map_options,
    .examples = {{"map driven_pendulum --vary \"A=0.5..1.5\" --vary \"q=1..3\" --until 40 "
                  "--by \"theta/6.3\"",
                  "its turns"},
                 {"map ziegler --stability --vary \"P=1..4\" --vary \"b=0.02..1\"",
                  "where it flutters"}},
    .run = map_run,
};
