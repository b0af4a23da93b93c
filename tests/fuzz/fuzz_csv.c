// Fuzzes the reader of comma-separated rows, and the figure that is drawn of them in characters.
// The rows lie in memory; a link gives them the name of a file.
#define _GNU_SOURCE // memfd_create
#include <hamel.h>

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const int file = memfd_create("rows", 0);
    char link[64], target[64];
    snprintf(target, sizeof target, "/proc/self/fd/%d", file);
    snprintf(link, sizeof link, "/tmp/hamel-fuzz-%d.csv", (int)getpid());
    unlink(link);
    if (file < 0 || write(file, data, size) != (ssize_t)size || symlink(target, link) != 0) {
        if (file >= 0) close(file);
        return 0;
    }
    hamel_context *context = hamel_context_create();
    char *result = NULL;
    const hamel_plot drawn = {.unicode = size & 1, .grid = size >> 1 & 1};
    (void)hamel_file_plot(context, link, &drawn, NULL, NULL, &result);
    hamel_free(result);
    hamel_free(hamel_diagnostics(context));
    hamel_context_destroy(context);
    unlink(link);
    close(file);
    return 0;
}
