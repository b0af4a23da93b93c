# Eliminations in Udwadia's and Hamilton's equations: no form spoils the bound of another one.
for model in "snake --set N=10" "n_trailer --set N=8"; do
    "$HAMEL" prove $model --json | tr '{' '\n' | grep -o '"name":"[^"]*","verdict":"[^"]*"'
done
