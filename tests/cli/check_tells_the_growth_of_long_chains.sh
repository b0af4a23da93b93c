"$HAMEL" check snake --set N=10 | grep -E "^(growth|controllable)"
"$HAMEL" check n_trailer --set N=8 | grep -E "^(growth|controllable)"
