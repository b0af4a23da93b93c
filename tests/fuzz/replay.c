// Feeds every file below the given directories to a fuzz target: seeds and past
// crashes, without libFuzzer.
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Returns how many files were fed; a path that does not exist counts for none.
static long replay(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0) return 0;
    long count = 0;
    if (S_ISDIR(status.st_mode)) {
        struct dirent **entries = NULL;
        int entry_count = scandir(path, &entries, NULL, alphasort);
        for (int i = 0; i < entry_count; i++) {
            if (entries[i]->d_name[0] != '.') {
                char inner[4096];
                snprintf(inner, sizeof inner, "%s/%s", path, entries[i]->d_name);
                count += replay(inner);
            }
            free(entries[i]);
        }
        free(entries);
        return count;
    }
    FILE *file = fopen(path, "rb");
    if (!file) return 0;
    size_t size = (size_t)status.st_size;
    uint8_t *data = malloc(size ? size : 1);
    if (data && fread(data, 1, size, file) == size) {
        printf("%s\n", path); // the last line printed names the culprit of a crash
        fflush(stdout);
        LLVMFuzzerTestOneInput(data, size);
        count = 1;
    }
    free(data);
    fclose(file);
    return count;
}

int main(int argc, char **argv) {
    long count = 0;
    for (int i = 1; i < argc; i++) count += replay(argv[i]);
    printf("%ld inputs replayed\n", count);
    return count == 0;
}
