"$HAMEL" eval gaponov_machine --form gaponov --double N; "$HAMEL" eval gaponov_machine --double N --digits 30 --at "y1' = 0"
"$HAMEL" eval gaponov_machine --form gaponov --double N --json --digits 5
"$HAMEL" eval gaponov_machine --double M; "$HAMEL" eval gaponov_machine --set N=0 --double N; "$HAMEL" eval gaponov_machine --form hamiltonn --double N
