// hamel basin: basins of attraction.
#include "sweep_map.h"

const command command_basin = {
    .name = "basin",
    .purpose = "basins of attraction: what becomes of runs, over two initial values",
    .description =
        "The rectangle is divided into cells; those whose corners end in several ways are "
        "divided in four, again and again, so that boundaries are found with a few runs. "
        "A basin that lies between the points of the first cells is missed: more --cells "
        "find it.",
    .operands = {{.name = "MODEL", .kind = VALUE_MODEL}},
    .options = basin_options,
    .examples = {{"basin magnetic_pendulum --vary \"x=-2..2\" --vary \"y=-2..2\" --by \"sign(y)\" "
                  "--depth 2",
                  "where it rests"}},
    .run = map_run,
};
