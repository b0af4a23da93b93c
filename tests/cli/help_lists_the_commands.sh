"$HAMEL" help; "$HAMEL" help derive
