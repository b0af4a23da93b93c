// Script and style of the page, embedded in the library.
#ifndef HAMEL_REPORT_ASSETS_H
#define HAMEL_REPORT_ASSETS_H

#include <stddef.h>

extern const char page_script[];
extern const size_t page_script_size;
extern const char page_style[];
extern const size_t page_style_size;

#endif
