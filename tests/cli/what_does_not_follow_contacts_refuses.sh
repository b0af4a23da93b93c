# Commands that follow one smooth motion refuse contacts, resets and clocks; nothing ignores them.
cat >"$SCRATCH/contact.ham" <<'M'
coord z
kinetic z'^2/2
potential 9.81*z
contact floor: gap z, restitution 0.5
initial z = 1
M
cat >"$SCRATCH/when.ham" <<'M'
coord z
kinetic z'^2/2
potential 9.81*z
when bounce: -z { z' = -z'/2 }
initial z = 1
M
cat >"$SCRATCH/every.ham" <<'M'
input u = 0
coord x
kinetic x'^2/2
force x = u
every 0.1 { u = -x - x' }
initial x = 1
M
cd "$SCRATCH"
for name in contact when every; do
    for words in sensitivity lyapunov orbit section compare "simulate --verify" "simulate --precision quad"; do
        set -- $words
        command=$1
        shift
        [ $command = section ] && set -- "t - 1"
        [ $command = compare ] && set -- maggi lagrange
        echo "-- $name $words"
        $HAMEL $command $name.ham "$@" 2>&1 | grep -v '|'
    done
done
echo "-- a mode that was named is followed"
$HAMEL simulate contact.ham --set 'mode[floor]=free' --until 0.1 | tail -1
echo "-- steady"
$HAMEL steady contact.ham 2>&1
$HAMEL codegen when.ham -o code 2>&1 >list | grep -v '|'
echo "-- a mode is named, and there is a reset"
cat contact.ham >both.ham
echo "when kick: t - 1 { z' = 1 }" >>both.ham
$HAMEL simulate both.ham --set 'mode[floor]=sliding' 2>&1 | grep -v '|'
