// Fuzzes the reader of command lines. A line of the input is a word; the first names the command,
// or by its first letter picks one.
#include "command.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_LINE = 300 };

// What was given, asked for in every way
static void ask(const arguments *a) {
    double width, height;
    (void)given_format(a);
    for (const option *const *o = a->command->options; o && *o; o++) {
        if (!given(a, *o)) continue;
        if ((*o)->kind == VALUE_NUMBER || (*o)->kind == VALUE_POSITIVE) (void)given_number(a, *o);
        else if ((*o)->kind == VALUE_WHOLE) (void)given_whole(a, *o);
        else if ((*o)->kind == VALUE_SIZE) given_size(a, *o, &width, &height);
        else (void)given_text(a, *o);
    }
}

static const command *pick(const char *word) {
    size_t count = 0;
    while (commands[count]) count++;
    const command *named = command_find(word);
    return named ? named : commands[(unsigned char)word[0] % count];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *line = malloc(size + 1);
    if (!line) return 0;
    memcpy(line, data, size);
    line[size] = '\0';
    const char *words[MOST_LINE];
    int count = 0;
    for (char *word = line; word && count < MOST_LINE;) {
        words[count++] = word;
        word = strchr(word, '\n');
        if (word) *word++ = '\0';
    }
    arguments a;
    if (arguments_read(pick(words[0]), count - 1, words + 1, &a) == HAMEL_OK) ask(&a);
    free(line);
    return 0;
}
