// Script and style of the page, embedded in the library. tools/embed-page makes these arrays of
// what web/ is bundled to; page.c writes them into every page, so that a page is one file that
// needs nothing else.
#ifndef HAMEL_REPORT_ASSETS_H
#define HAMEL_REPORT_ASSETS_H

#include <stddef.h>

extern const char page_script[];
extern const size_t page_script_size;
extern const char page_style[];
extern const size_t page_style_size;

#endif
