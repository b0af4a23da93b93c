// Names of a model as identifiers.
#include "codegen/identifier.h"

#include "base/text.h"

#include <string.h>

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static void spell(const char *name, text *out) {
    if (!is_letter(name[0])) text_char(out, 'n');
    for (; *name; name++) {
        if (is_letter(*name) || is_digit(*name) || *name == '_') text_char(out, *name);
        else if (*name == '\'') text_append(out, "_dot");
        else if (*name == '-') text_char(out, 'm');
        else if (*name != ']') text_char(out, '_');
    }
}

static bool is_numbered(const char *name, const char *word) {
    const size_t length = strlen(word);
    return strncmp(name, word, length) == 0 && name[length] &&
           strspn(name + length, "0123456789") == strlen(name + length);
}

static bool begins_badly(const identifier_rules *rules, const char *name) {
    for (const char *const *b = rules->beginnings; b && *b; b++)
        if (strncmp(name, *b, strlen(*b)) == 0) return true;
    return false;
}

// Temporaries of bodies are r1, r2 .., matrix1 ..
static bool is_own(const identifier_rules *rules, const char *name) {
    for (const char *const *word = rules->words; *word; word++)
        if (strcmp(name, *word) == 0) return true;
    return is_numbered(name, "r") || is_numbered(name, "matrix") || is_numbered(name, "solution") ||
           is_numbered(name, "rows");
}

const char *identifier_make(arena *a, names *taken, const identifier_rules *rules,
                            const char *name) {
    enum { ROOM_FOR_NUMBER = 11 };
    text plain = {0};
    if (begins_badly(rules, name)) text_append(&plain, "n_");
    spell(name, &plain);
    if (rules->longest && plain.length > rules->longest - ROOM_FOR_NUMBER)
        plain.bytes[rules->longest - ROOM_FOR_NUMBER] = 0;
    const char *as = arena_format(a, "%s", text_string(&plain));
    for (unsigned other = 2; is_own(rules, as) || !names_put(taken, as, 0); other++)
        as = arena_format(a, "%s_%u", text_string(&plain), other);
    text_free(&plain);
    return as;
}
