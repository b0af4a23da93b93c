for words in "--vary zz=1..2" "--vary zz=1..2count2" "--threads 0" "--resume"; do
    echo "== $words"
    "$HAMEL" sweep pendulum $words
    echo "status $?"
done 2>&1
echo "== nothing is collected"
"$HAMEL" sweep pendulum --vary "g=1..2 count 2" 2>&1
echo "status $?"
echo "== contacts on a GPU"
"$HAMEL" sweep bouncing_ball --device cuda --vary "g=1..2 count 2" --collect "e=final(z)" 2>&1
echo "status $?"
echo "== a mode is named, and there is a reset"
"$HAMEL" sweep wheelspin --set "mode[floor]=sticking" --vary "g=1..2 count 2" --collect "e=final(z)" 2>&1
echo "status $?"
echo "== events of contacts"
for event in slips walks; do
    "$HAMEL" sweep bouncing_ball --vary "g=1..2 count 2" --collect "e=first(floor.$event)" 2>&1
    echo "status $?"
done
"$HAMEL" sweep bouncing_ball --vary "g=1..2 count 2" --collect "e=count(wall.lands)" 2>&1
echo "status $?"
"$HAMEL" sweep bouncing_ball --set "mode[floor]=sliding" --vary "g=1..2 count 2" --collect "e=first(floor.lands)" 2>&1
echo "status $?"
echo "== no format"
"$HAMEL" sweep pendulum --vary "g=1..2 count 2" --collect "e=final(y)" -o rows.txt 2>&1
echo "status $?"
echo "== no journal without a file"
"$HAMEL" sweep pendulum --vary "g=1..2 count 2" --collect "e=final(y)" --resume 2>&1
echo "status $?"
