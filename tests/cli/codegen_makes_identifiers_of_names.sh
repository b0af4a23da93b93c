printf 'system for "names"\nparam r1 = 1, double = 2\ncoord q[1..2], q_1, sine\nkinetic r1*(q[1]'"'"'^2 + q[2]'"'"'^2 + q_1'"'"'^2)/2 + double*sine'"'"'^2\n' |
    "$HAMEL" codegen - -o "$SCRATCH/made" >/dev/null && sed -n '/^enum {$/,/^}/p' "$SCRATCH/made/"*.h
