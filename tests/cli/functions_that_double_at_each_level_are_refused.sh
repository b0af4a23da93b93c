{ echo "coord x"; echo "let f0(u) = u + 1"; seq 1 60 | while read -r i; do echo "let f$i(u) = f$((i - 1))(u) + f$((i - 1))(u + 1)"; done; echo "kinetic f60(x)"; } |
    "$HAMEL" check -
