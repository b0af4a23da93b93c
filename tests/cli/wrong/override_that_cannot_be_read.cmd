check override_that_cannot_be_read.ham --set 'mass=2*'
