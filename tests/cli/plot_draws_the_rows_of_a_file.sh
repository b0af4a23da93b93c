cd "$SCRATCH"
printf 'a_error,a_work,b_error,b_work\n1e-1,10,1e-2,30\n1e-3,100,1e-5,90\n1e-6,1000,,\n' >work.csv
LC_ALL=C.UTF-8 "$HAMEL" plot work.csv a_error:a_work=first,b_error:b_work=second --log xy --marks --xlabel "error at the end" --ylabel instructions
LC_ALL=C "$HAMEL" plot work.csv a_error:a_work,b_error:b_work --log xy --marks
LC_ALL=C.UTF-8 "$HAMEL" plot work.csv a_error:a_work --log xy --ylabel work
"$HAMEL" plot work.csv a_error:a_work=first,b_error:b_work=second --log xy --marks --xlabel "error at the end" --ylabel instructions -o -
printf 't,x,"up, far"\n0,1,\n1,,3\n2,0,4\n3,1,5\n' >rows.csv
LC_ALL=C.UTF-8 "$HAMEL" plot rows.csv
LC_ALL=C.UTF-8 "$HAMEL" plot rows.csv '"up, far"=height' "error(x)"
