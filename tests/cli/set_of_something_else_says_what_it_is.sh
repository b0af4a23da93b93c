model="coord x
given f = t
kinetic x'^2/2 + f*x'"
echo "$model" | "$HAMEL" check - --set f=3
echo "$model" | "$HAMEL" check - --set x=3
