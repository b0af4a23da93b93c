check contact_mode_of_no_contact.ham --set mode[flor]=sliding
