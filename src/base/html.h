// Text of others inside a page: nothing it holds can be taken for markup. The report writes every
// name, title and text of a model through these calls; nothing else may put a string of the author
// into a page.
#ifndef HAMEL_BASE_HTML_H
#define HAMEL_BASE_HTML_H

#include "base/text.h"

// As the text of an element or of a quoted attribute: & < > " ' become references. Hidden
// characters (base/utf8.h) but tab and line feed, and bytes that are no UTF-8, become U+FFFD, the
// mark of a character that is not known.
void html_text(const char *string, text *out);
void html_text_n(const char *bytes, size_t length, text *out);

// A finished JSON document inside a <script> element: < cannot end the element, U+2028 and
// U+2029 cannot end a line of a script. Each of them can stand in a JSON document inside strings
// only, where \u003c means the same.
void html_json(const char *document, text *out);

#endif
