check unit_of_an_override_does_not_fit.ham --set "g=32 [ft/s]"
