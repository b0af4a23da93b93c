# Steps of 10^-11 of a second for ten seconds: the run stops after some ten thousand of them and says so.
printf '%s\n' 'coord x' "kinetic x'^2/2" 'potential 1e24/2*x^2' 'initial x = 1' |
    "$HAMEL" simulate - --method tsit5 --json | grep -o '"outcome":"[^"]*"'
