// Fuzzes the reader of sweeps' journals. The first byte says what the rest is: the file as it is,
// the content of a head, or pieces behind the right head, in which 3 bytes in front of each say its
// kind and length. Sums are made right, so that what is behind them is reached.
#include "base/bytes.h"
#include "record/sealed.h"
#include "sweep/store.h"
#include <hamel.h>

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct sweep_plan {
    uint64_t runs;
};
uint64_t sweep_plan_runs(const sweep_plan *p) { return p->runs; }
uint32_t sweep_plan_values(const sweep_plan *p) { return p->runs > 0; }
const char *sweep_plan_name(const sweep_plan *p, uint32_t i) { return p->runs > i ? "x" : ""; }
bool sweep_plan_is_parameter(const sweep_plan *p, uint32_t i) { return p->runs == i; }
void sweep_plan_find(const sweep_plan *p, uint64_t run, double *value) {
    *value = (double)run / (double)p->runs;
}
const sweep_layout *sweep_plan_layout(const sweep_plan *p) {
    static const sweep_axis AXIS = {.kind = AXIS_GRID, .target_count = 1};
    static const sweep_layout LAYOUT = {.axis_count = 1, .axis = &AXIS};
    return p->runs ? &LAYOUT : NULL;
}

enum { RUNS = 7, CHUNK = 3, MAGIC = 16 };
static const sweep_plan plan = {RUNS};
static const char *const NAMES[] = {"top", "end"};

static sweep_store *open_store(hamel_context *ctx, const char *file) {
    const sweep_store_request r = {.path = file,
                                   .plan = &plan,
                                   .collected_count = 1,
                                   .collected_name = NAMES,
                                   .event_count = 2,
                                   .event_name = NAMES,
                                   .chunk_runs = CHUNK,
                                   .version = "1",
                                   .model = "m",
                                   .resume = true};
    sweep_store *s;
    return sweep_store_open(ctx, &r, &s) ? NULL : s;
}

// What a sweep writes at the front of its journal
static void put_right_head(hamel_context *ctx, const char *file, text *out) {
    char name[100], bytes[1000];
    snprintf(name, sizeof name, "%s.journal", file);
    sweep_store *s = open_store(ctx, file);
    FILE *f = fopen(name, "rb");
    if (f) text_append_n(out, bytes, fread(bytes, 1, sizeof bytes, f)), fclose(f);
    if (s) sweep_store_close(s);
}

static void put_pieces(const uint8_t *data, size_t size, text *out) {
    static const char *const KINDS[] = {"RUNS", "HEAD", "none"};
    while (size > 3) {
        const size_t rest = size - 3, asked = (size_t)data[1] | (size_t)data[2] << 8,
                     length = asked < rest ? asked : rest, at = sealed_begin(out);
        text_append_n(out, (const char *)data + 3, length);
        sealed_end(out, at, KINDS[data[0] % 3]);
        data += 3 + length, size -= 3 + length;
    }
}

static void make_journal(hamel_context *ctx, const char *file, const uint8_t *data, size_t size) {
    char name[100];
    text bytes = {0};
    const int kind = size ? data[0] % 3 : 0;
    if (kind) put_right_head(ctx, file, &bytes);
    if (kind == 0) text_append_n(&bytes, (const char *)data + !!size, size - !!size);
    if (kind == 1) put_pieces(data + 1, size - 1, &bytes);
    if (kind == 2) {
        bytes.length = MAGIC;
        const size_t at = sealed_begin(&bytes);
        text_append_n(&bytes, (const char *)data + 1, size - 1);
        sealed_end(&bytes, at, "HEAD");
    }
    snprintf(name, sizeof name, "%s.journal", file);
    FILE *f = fopen(name, "wb");
    if (f) fwrite(bytes.bytes, 1, bytes.length, f), fclose(f);
    text_free(&bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char file[64], journal[100];
    snprintf(file, sizeof file, "/tmp/hamel-fuzz-%d-sweep.csv", (int)getpid());
    snprintf(journal, sizeof journal, "%s.journal", file);
    hamel_context *ctx = hamel_context_create();
    unlink(file), unlink(journal);
    make_journal(ctx, file, data, size);
    sweep_store *s = open_store(ctx, file);
    uint64_t runs = 0;
    for (uint64_t i = 0; s && i < sweep_store_chunks(s); i++) {
        double collected[RUNS];
        sweep_end end[RUNS];
        if (!sweep_store_get(s, i, collected, end)) continue;
        runs += sweep_store_count(s, i);
        for (uint64_t k = 0; k < sweep_store_count(s, i); k++)
            assert(*sweep_end_words(&end[k], NAMES));
    }
    assert(!s || (runs == sweep_store_resumed(s) && runs <= RUNS));
    if (s) assert(sweep_store_finish(s, ctx)), sweep_store_close(s);
    hamel_free(hamel_diagnostics(ctx));
    hamel_context_destroy(ctx);
    unlink(file), unlink(journal);
    return 0;
}
