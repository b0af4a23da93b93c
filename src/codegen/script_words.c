// Comments, numbers and names in generated code.
#include "codegen/script.h"

#include "base/decimal.h"

#include <string.h>

enum { WIDTH = 120 };

// How much of a line fits: up to its end, or to the last space that leaves it not too long.
static size_t fitting(const char *line, size_t length) {
    if (length <= WIDTH) return length;
    size_t taken = WIDTH;
    while (taken > WIDTH / 2 && line[taken] != ' ') taken--;
    if (line[taken] == ' ') return taken;
    for (taken = WIDTH; ((unsigned char)line[taken] & 0xC0) == 0x80;)
        taken--; // not inside a letter
    return taken;
}

// No backslash may end a line, nor ??/, which is one in old C.
void script_comment(const char *lead, const char *words, text *out) {
    for (bool goes_on = false; *words;) {
        const size_t taken = fitting(words, strcspn(words, "\n"));
        text_append(out, lead);
        if (taken) text_append(out, goes_on ? "     " : " ");
        for (size_t i = 0; i < taken; i++) {
            if (i && words[i] == '?' && words[i - 1] == '?') text_char(out, ' ');
            text_char(out, words[i] == '\\' ? '/' : words[i]);
        }
        text_char(out, '\n');
        words += taken;
        goes_on = *words && *words != '\n';
        if (*words == '\n' || *words == ' ') words++;
    }
}

void script_number(double value, text *out) {
    char digits[DECIMAL_SIZE];
    decimal_write(value, digits);
    text_append(out, digits);
    if (!strpbrk(digits, ".en")) text_append(out, ".0");
}

void script_string(const char *words, text *out) {
    text_char(out, '"');
    for (; *words; words++) {
        if (*words == '"' || *words == '\\') text_char(out, '\\');
        text_char(out, *words);
    }
    text_char(out, '"');
}
