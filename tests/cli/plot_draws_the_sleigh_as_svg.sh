"$HAMEL" plot sleigh x:y "theta:theta'" speed,v "error(x)" --exec interpreted --title "A sleigh, a < b & c" --grid -o -
