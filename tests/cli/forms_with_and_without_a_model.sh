"$HAMEL" forms; "$HAMEL" forms sleigh; "$HAMEL" forms sleigh --json
