# one has no value at first, one a thousand zeros, one poles; the last is a narrow bump that ends the run
cat > "$SCRATCH/events.ham" <<'END'
coord x
kinetic x'^2/2
initial x = 0, x' = 1
simulate t = 0 .. 100
event root: sqrt(x - 0.5) - 1
event tangent: tan(x)
event fast: sin(100*x)
event bump: exp(-((x - 50)/0.005)^2) - 0.5 stop
END
for method in taylor tsit5 adams; do
    "$HAMEL" simulate "$SCRATCH/events.ham" --method $method --json | python3 -c '
import collections, json, sys
run = json.load(sys.stdin)
print(run["outcome"], "%.6f" % float(run["t"]), *sorted(collections.Counter(e["name"] for e in run["events"]).items()))'
done
