// The format html: pages of `hamel report`, which report/ writes.
#include "print/format.h"

const format format_html = {
    .id = "html", .about = "a page for a browser, of `report`", .page = format_words};
