// What every file of comma-separated values that we write has in common. Numbers go into it by
// decimal_append() (base/decimal.h), names of columns by this.
#ifndef HAMEL_RECORD_CSV_WRITE_H
#define HAMEL_RECORD_CSV_WRITE_H

#include "base/text.h"

// A name with a comma or a quote in it is quoted: "q[1,2]".
void csv_put_name(text *line, const char *name);

#endif
