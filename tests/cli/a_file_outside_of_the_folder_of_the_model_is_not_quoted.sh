# Included by ../, by a link, and from inside; on standard input the folder is the working directory.
cd "$SCRATCH" && mkdir -p a/model/part b && echo "SECRET = 12345" > secret && cp secret a/model/part/inner.ham
printf '%s\n' "coord x" "kinetic x'^2/2" > a/common.ham && ln -s ../../secret a/model/link.ham
printf '%s\n' 'include "../../secret"' > a/model/up.ham
printf '%s\n' 'include "link.ham"' > a/model/by_link.ham
printf '%s\n' 'include "part/inner.ham"' > a/model/down.ham
printf '%s\n' 'include "../common.ham"' "initial x' = 1" > a/model/good.ham
for m in up by_link down good; do "$HAMEL" check a/model/$m.ham | head -1; "$HAMEL" check a/model/$m.ham --json 2> /dev/null | grep -c SECRET; done
cd a && "$HAMEL" check - < model/up.ham; echo 'include "../secret"' | "$HAMEL" check -
cd model && "$HAMEL" check up.ham; "$HAMEL" check down.ham
