derive form_that_does_not_exist.ham --form magi
