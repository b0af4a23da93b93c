{ echo "coord x"; seq 1 20000 | sed "s/.*/let a& = 1 + b&/"; seq 1 20000 | while read -r i; do echo "let b$i = a$((i + 1))"; done; echo "let a20001 = x"; } |
    "$HAMEL" check -
