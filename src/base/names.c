// Hash table from names to small integers, with the nearest known name for a misspelt one.
#include "base/names.h"

#include <string.h>

uint32_t names_hash_bytes(const void *bytes, size_t length,
                          uint32_t seed) { // FNV-1a with a final mix
    const unsigned char *p = bytes;
    uint32_t h = 2166136261u ^ seed;
    for (size_t i = 0; i < length; i++) h = (h ^ p[i]) * 16777619u;
    h ^= h >> 15;
    return h * 2246822519u;
}

void names_free(names *table) {
    memory_free(table->slots);
    *table = (names){0};
}

static names_entry *find(const names *table, const char *name) {
    uint32_t mask = table->capacity - 1;
    uint32_t i = names_hash_bytes(name, strlen(name), 0) & mask;
    while (table->slots[i].name && strcmp(table->slots[i].name, name) != 0) i = (i + 1) & mask;
    return &table->slots[i];
}

static void grow(names *table) {
    names old = *table;
    table->capacity = old.capacity ? 2 * old.capacity : 32;
    table->slots = memory_array(names_entry, table->capacity);
    memset(table->slots, 0, sizeof(names_entry) * table->capacity);
    for (uint32_t i = 0; i < old.capacity; i++)
        if (old.slots[i].name) *find(table, old.slots[i].name) = old.slots[i];
    memory_free(old.slots);
}

bool names_put(names *table, const char *name, uint32_t value) {
    if (2 * (table->count + 1) > table->capacity) grow(table);
    names_entry *entry = find(table, name);
    if (entry->name) return false;
    *entry = (names_entry){name, value};
    table->count++;
    return true;
}

const uint32_t *names_get(const names *table, const char *name) {
    if (!table->count) return NULL;
    const names_entry *entry = find(table, name);
    return entry->name ? &entry->value : NULL;
}

unsigned names_distance(const char *a, const char *b, unsigned cap) {
    enum { LONGEST = 63 };
    size_t la = strlen(a), lb = strlen(b);
    if (la > LONGEST || lb > LONGEST || la > lb + cap || lb > la + cap) return cap + 1;
    unsigned row[3][LONGEST + 1]; // rows i-2, i-1, i of the distance matrix
    for (size_t j = 0; j <= lb; j++) row[0][j] = (unsigned)j;
    for (size_t i = 1; i <= la; i++) {
        unsigned *now = row[i % 3], *before = row[(i + 2) % 3], *older = row[(i + 1) % 3];
        now[0] = (unsigned)i;
        for (size_t j = 1; j <= lb; j++) {
            unsigned best = before[j - 1] + (a[i - 1] != b[j - 1]);
            if (before[j] + 1 < best) best = before[j] + 1;
            if (now[j - 1] + 1 < best) best = now[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                older[j - 2] + 1 < best)
                best = older[j - 2] + 1;
            now[j] = best;
        }
    }
    unsigned d = row[la % 3][lb];
    return d > cap ? cap + 1 : d;
}

static size_t common_prefix(const char *a, const char *b) {
    size_t n = 0;
    while (a[n] && a[n] == b[n]) n++;
    return n;
}

static char small_letter(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static bool same_but_for_case(const char *a, const char *b) {
    while (*a && small_letter(*a) == small_letter(*b)) a++, b++;
    return *a == *b;
}

// How far a suggestion is from what was written; capitals for small letters cost nothing.
static unsigned suggestion_distance(const char *name, const char *known, unsigned cap) {
    if (same_but_for_case(name, known)) return 0;
    const unsigned d = names_distance(name, known, cap);
    return d < strlen(name) ? d : cap + 1; // every letter changed is no suggestion
}

const char *names_nearest(const names *table, const char *name, const char *best) {
    const unsigned cap = strlen(name) >= 6 ? (unsigned)strlen(name) / 3 : 1;
    unsigned least = best ? suggestion_distance(name, best, cap) : cap + 1;
    for (uint32_t i = 0; i < table->capacity; i++) {
        const char *known = table->slots[i].name;
        if (!known) continue;
        const unsigned d = suggestion_distance(name, known, cap);
        if (d > cap || d > least) continue;
        const size_t prefix = common_prefix(name, known),
                     best_prefix = best ? common_prefix(name, best) : 0;
        if (d == least && best &&
            (prefix < best_prefix || (prefix == best_prefix && strcmp(known, best) >= 0)))
            continue;
        least = d;
        best = known;
    }
    return best;
}
