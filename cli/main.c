// hamel: the program. Finds the command, reads what stands after it, and runs it.
#include "command.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

static bool asks_for_help(const char *word) {
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static int run(const command *c, int argc, const char *const *argv) {
    arguments a;
    const int status = arguments_read(c, argc, argv, &a);
    return status ? status : c->run(&a);
}

// The stack grows in the same space as the heap: under `ulimit -v` it must have its part before the
// heap has taken all, for a stack that cannot grow is no error that a program can answer.
static void take_stack(void) {
    enum { STACK = 1 << 20 };
    struct rlimit most;
    if (getrlimit(RLIMIT_STACK, &most) || most.rlim_cur < 4 * STACK) return;
    volatile char deep[STACK];
    deep[0] = 0;
    (void)deep[0];
}

// A file that is opened would take the place of a standard one that is closed, and be read or
// written as that. What stands there instead refuses both.
static void keep_places(void) {
    for (int file = 0; file <= 2; file++)
        if (fcntl(file, F_GETFD) < 0) open("/dev/null", file ? O_RDONLY : O_WRONLY);
}

static int run_words(int argc, const char *const *words) {
    if (argc < 2) {
        run(&command_help, 0, NULL);
        return HAMEL_USAGE;
    }
    if (strcmp(words[1], "--version") == 0) {
        printf("hamel %s\n", hamel_version());
        return HAMEL_OK;
    }
    if (asks_for_help(words[1])) return run(&command_help, argc - 2, words + 2);
    const command *c = command_find(words[1]);
    if (!c) return command_unknown(words[1]);
    for (int i = 2; i < argc; i++)
        if (asks_for_help(words[i])) return run(&command_help, 1, words + 1);
    return run(c, argc - 2, words + 2);
}

// What every command has said goes out here, the last of it at the latest: to a full disk, a closed
// descriptor ..
static int finish(int status) {
    if (!fflush(stdout) && !ferror(stdout)) return status;
    fputs("hamel: error: cannot write the result\n", stderr);
    return status ? status : HAMEL_NUMERICS;
}

int main(int argc, char **argv) {
    take_stack();
    keep_places();
    return finish(run_words(argc, (const char *const *)argv));
}
