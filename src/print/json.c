// A JSON writer.
#include "print/json.h"

#include "base/decimal.h"
#include "base/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void quote(text *out, const char *s) {
    text_char(out, '"');
    for (size_t left = strlen(s); left;) {
        uint32_t code = 0xFFFD; // for a byte that is no UTF-8
        const uint32_t size = utf8_decode(s, left, &code), taken = size ? size : 1;
        if (code == '"' || code == '\\') text_char(out, '\\');
        if (code == '\n') text_append(out, "\\n");
        else if (!size || utf8_is_hidden(code)) text_format(out, "\\u%04x", (unsigned)code);
        else text_append_n(out, s, size);
        s += taken, left -= taken;
    }
    text_char(out, '"');
}

static void begin(json *j, const char *key) {
    if (j->needs_comma) text_char(j->out, ',');
    if (key) {
        quote(j->out, key);
        text_char(j->out, ':');
    }
    j->needs_comma = true;
}

void json_open(json *j, const char *key, char bracket) {
    begin(j, key);
    text_char(j->out, bracket);
    j->needs_comma = false;
}

void json_close(json *j, char bracket) {
    text_char(j->out, bracket);
    j->needs_comma = true;
}

void json_string(json *j, const char *key, const char *value) {
    begin(j, key);
    quote(j->out, value);
}

void json_text(json *j, const char *key, const text *value) {
    json_string(j, key, text_string(value));
}

void json_integer(json *j, const char *key, int64_t value) {
    begin(j, key);
    text_format(j->out, "%lld", (long long)value);
}

void json_bool(json *j, const char *key, bool value) {
    begin(j, key);
    text_append(j->out, value ? "true" : "false");
}

void json_null(json *j, const char *key) {
    begin(j, key);
    text_append(j->out, "null");
}

void json_number(json *j, const char *key, double value) {
    char digits[DECIMAL_SIZE];
    if (!isfinite(value)) {
        json_null(j, key);
        return;
    }
    decimal_write(value, digits);
    json_string(j, key, digits);
}

// "1e-07" is 1e-7, "1e+20" is 1e20
static void append_short(text *out, const char *decimal) {
    while (*decimal && *decimal != 'e') text_char(out, *decimal++);
    if (!*decimal) return;
    const int exponent = atoi(decimal + 1);
    text_format(out, "e%d", exponent);
}

void json_decimal(json *j, const char *key, double value, int digits) {
    text written = {0};
    begin(j, key);
    value += 0.0; // -0 is 0
    if (!isfinite(value)) text_append(&written, "null");
    else if (digits >= 17) decimal_append(value, &written);
    else text_format(&written, "%.*g", digits, value);
    append_short(j->out, text_string(&written));
    text_free(&written);
}
