// Doubles as the shortest decimals that read back the same, as CSV has them: the least processor
// time of several passes over the doubles of a file, in nanoseconds a number.
//
//   decimal FILE      (bench/decimals.py makes it, and has std::to_chars do the same)
#include "base/decimal.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { PASSES = 15, MOST = 1 << 20 };

int main(int count, char **word) {
    double *value = malloc(sizeof(double) * MOST);
    char *line = malloc((size_t)MOST * DECIMAL_SIZE);
    FILE *f = count == 2 ? fopen(word[1], "rb") : NULL;
    if (!value || !line || !f) return 1;
    const size_t n = fread(value, sizeof(double), MOST, f);
    fclose(f);
    double least = 1e9;
    size_t bytes = 0;
    for (int pass = 0; pass < PASSES; pass++) {
        const clock_t start = clock();
        char *to = line;
        for (size_t i = 0; i < n; i++) to += decimal_write(value[i], to), *to++ = ',';
        const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
        bytes = (size_t)(to - line);
        if (seconds < least) least = seconds;
    }
    printf("%.2f %zu\n", 1e9 * least / (double)n, bytes);
    free(value), free(line);
    return 0;
}
