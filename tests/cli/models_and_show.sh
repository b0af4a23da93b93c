"$HAMEL" models | head -3; "$HAMEL" show sleigh | head -3; "$HAMEL" show no_such_model
