# In the usual variables, q and the independent q' or the quasi-velocities: here Hamel's equations beat Maggi's.
"$HAMEL" codegen gaponov_machine -o "$SCRATCH/c" > /dev/null
sed -n 4p "$SCRATCH/c/gaponov_machine.h"
# what bodies make is the same whatever the form; the model's own form stays
"$HAMEL" codegen bicycle -o "$SCRATCH/b" > /dev/null
sed -n 4p "$SCRATCH/b/bicycle.h"
"$HAMEL" codegen rs_1_3_skate_vakonomic -o "$SCRATCH/v" > /dev/null
sed -n 4p "$SCRATCH/v/rs_1_3_skate_vakonomic.h"
