check contact_in_an_unknown_mode.ham --set mode[floor]=rollin
