# The classical sleigh and the vakonomic one part at once; forms of one mechanics do not part; a field of first order does not turn back where the
# motion does; a run that stops is told of; what is missing, unknown or does not apply is said.
"$HAMEL" compare sleigh maggi vakonomic --until 6 --every 0.1 --tol 1e-11 --method tsit5
"$HAMEL" compare sleigh maggi voronec --until 2 --every 1 --tol 1e-11 --method tsit5
"$HAMEL" compare rs_3_1_cartesian_particle maggi cartesian --until 0.4 --every 0.05 --method tsit5
"$HAMEL" compare rs_4_6_plane_at_rest maggi voronets-chaplygin-g --set nu=1 --until 1 --every 0.5 --method tsit5
"$HAMEL" compare rs_4_6_plane_at_rest maggi voronets-chaplygin-g --set nu=1/2 --until 1 --every 0.5 --method tsit5
printf '%s\n' 'coord x' "kinetic x'^2/2" 'potential x^(3/2)' 'initial x = 1' | "$HAMEL" compare - maggi hamilton --every 0.5 --method tsit5; echo "exit $?"
"$HAMEL" compare sleigh vakonomic multipliers --until 1 --every 0.5 --json | grep -o '"\(verdict\|words\|lambda\[blade\]\|1\)":[^,}]*'
"$HAMEL" compare sleigh maggi kane; echo "exit $?"
"$HAMEL" compare sleigh maggi; echo "exit $?"
"$HAMEL" compare sleigh maggi vaconomic; echo "exit $?"
