"$HAMEL" check sleigh; "$HAMEL" check sleigh --json; "$HAMEL" check skier; "$HAMEL" check prescribed_speed --json
