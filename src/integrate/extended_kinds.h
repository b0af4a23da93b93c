// One file a precision. One entry for each precision that this machine has.
#ifndef HAMEL_INTEGRATE_EXTENDED_KINDS_H
#define HAMEL_INTEGRATE_EXTENDED_KINDS_H

#include "integrate/extended.h"

extended *extended_create_long(const integration *in);
extended *extended_create_quad(const integration *in);

#endif
