"$HAMEL" transpose gaponov_machine --form gaponov
