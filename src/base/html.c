// Text of others inside a page.
#include "base/html.h"

#include "base/utf8.h"

#include <stdbool.h>
#include <string.h>

static const char UNKNOWN[] = "\xEF\xBF\xBD"; // U+FFFD

// Characters that neither HTML nor XML may hold, or that nobody can see: hidden ones (but tab and
// line feed) and noncharacters.
static bool is_forbidden(uint32_t c) {
    return (utf8_is_hidden(c) && c != '\t' && c != '\n') || (c >= 0xFDD0 && c <= 0xFDEF) ||
           (c & 0xFFFE) == 0xFFFE;
}

static const char *reference(uint32_t c) {
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return NULL;
    }
}

static const char *json_escape(uint32_t c) {
    switch (c) {
    case '<': return "\\u003c";
    case 0x2028: return "\\u2028";
    case 0x2029: return "\\u2029";
    default: return NULL;
    }
}

static void escape(const char *bytes, size_t length, const char *(*instead)(uint32_t), text *out) {
    for (size_t i = 0; i < length;) {
        uint32_t c = 0;
        const uint32_t size = utf8_decode(bytes + i, length - i, &c);
        const char *other = size ? instead(c) : UNKNOWN;
        if (!other && is_forbidden(c)) other = UNKNOWN;
        if (other) text_append(out, other);
        else text_append_n(out, bytes + i, size);
        i += size ? size : 1;
    }
}

void html_text_n(const char *bytes, size_t length, text *out) {
    escape(bytes, length, reference, out);
}
void html_text(const char *string, text *out) { html_text_n(string, strlen(string), out); }
void html_json(const char *document, text *out) {
    escape(document, strlen(document), json_escape, out);
}
