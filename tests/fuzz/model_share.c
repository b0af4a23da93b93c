// Counts the inputs that could be read.
#include "model_share.h"

#include <stdio.h>
#include <stdlib.h>

static unsigned long tried, readable;

static void tell(void) { fprintf(stderr, "%lu of %lu inputs could be read\n", readable, tried); }

void model_share_count(bool read) {
    if (!tried) atexit(tell);
    tried++;
    readable += read;
}
