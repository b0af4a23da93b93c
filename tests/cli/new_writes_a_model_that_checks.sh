cd "$SCRATCH" && "$HAMEL" new swing && "$HAMEL" check swing.ham && "$HAMEL" new swing
