// Finished chunks of a sweep, kept and handed out: see store.h.
#include "sweep/store_internal.h"

#include "base/memory.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const store_format *const FORMATS[] = {&store_csv, &store_hdf5};
enum { FORMAT_COUNT = sizeof FORMATS / sizeof *FORMATS };

// --- chunks --------------------------------------------------------------------------------------

uint64_t sweep_store_chunks(const sweep_store *s) { return s->chunks; }
uint64_t sweep_store_resumed(const sweep_store *s) { return s->resumed; }
uint64_t sweep_store_runs(const sweep_store *s) { return s->finished; }
uint64_t sweep_store_first(const sweep_store *s, uint64_t chunk) { return chunk * s->chunk_runs; }
bool sweep_store_has(const sweep_store *s, uint64_t chunk) { return s->place[chunk] != 0; }

uint64_t sweep_store_count(const sweep_store *s, uint64_t chunk) {
    const uint64_t left = s->runs - sweep_store_first(s, chunk);
    return left < s->chunk_runs ? left : s->chunk_runs;
}

bool store_set_chunks(sweep_store *s, uint64_t runs) {
    static const uint64_t MOST = 1u << 30; // bytes of a piece
    s->chunk_runs = runs < s->runs ? runs : s->runs;
    if (s->chunk_runs > MOST || store_piece_bytes(s->chunk_runs, s->asked.collected_count) > MOST)
        return false;
    s->chunks = s->runs ? (s->runs - 1) / s->chunk_runs + 1 : 0;
    memory_free(s->place);
    s->place = memory_zeros(uint64_t, s->chunks);
    return true;
}

static void say_where(const sweep_store *s, text *why) {
    text_format(why, "; %llu of %llu runs are kept in `%s`, and --resume goes on from there",
                (unsigned long long)s->finished, (unsigned long long)s->runs, s->output.journal);
}

static bool put_in_journal(sweep_store *s, uint64_t chunk, const double *collected,
                           const sweep_end *end, text *why) {
    const uint64_t count = sweep_store_count(s, chunk);
    store_pack(s, chunk, collected, end);
    const uint64_t place = s->disk.length + SEALED_HEAD;
    bool good = growing_file_append(&s->disk, s->piece,
                                    store_piece_bytes(count, s->asked.collected_count), NULL, 0);
    if (good) s->place[chunk] = place, s->finished += count;
    good = good && growing_file_sync(&s->disk) && growing_file_reserve(&s->disk);
    if (good) return true;
    if (!why->length) text_append(why, strerror(s->disk.failure)), say_where(s, why);
    return false;
}

// Of the rows in memory
static void put_in_memory(sweep_store *s, uint64_t chunk, const double *collected,
                          const sweep_end *end) {
    const uint64_t first = sweep_store_first(s, chunk), count = sweep_store_count(s, chunk);
    const uint64_t columns = s->asked.collected_count;
    memcpy(s->collected + first * columns, collected, count * columns * sizeof *collected);
    memcpy(s->end + first, end, count * sizeof *end);
    s->place[chunk] = 1;
    s->finished += count;
}

bool sweep_store_put(sweep_store *s, uint64_t chunk, const double *collected, const sweep_end *end,
                     text *why) {
    if (sweep_store_has(s, chunk)) return true;
    if (s->format) return put_in_journal(s, chunk, collected, end, why);
    put_in_memory(s, chunk, collected, end);
    return true;
}

bool sweep_store_get(const sweep_store *s, uint64_t chunk, double *collected, sweep_end *end) {
    if (!sweep_store_has(s, chunk)) return false;
    if (s->format) return store_unpack(s, chunk, collected, end);
    const uint64_t first = sweep_store_first(s, chunk), count = sweep_store_count(s, chunk);
    const uint64_t columns = s->asked.collected_count;
    memcpy(collected, s->collected + first * columns, count * columns * sizeof *collected);
    memcpy(end, s->end + first, count * sizeof *end);
    return true;
}

// --- runs in their order -------------------------------------------------------------------------

bool store_rows_next(store_rows *r) {
    const sweep_store *s = r->s;
    const uint32_t varied = sweep_plan_values(s->asked.plan);
    if (!r->varied) {
        r->varied = memory_array(double, s->chunk_runs *varied + 1);
        r->collected = memory_array(double, s->chunk_runs * s->asked.collected_count + 1);
        r->end = memory_array(sweep_end, s->chunk_runs);
    }
    while (r->next < s->chunks && !sweep_store_has(s, r->next)) r->next++;
    if (r->next == s->chunks) return false;
    r->first = sweep_store_first(s, r->next), r->count = sweep_store_count(s, r->next);
    if (!sweep_store_get(s, r->next, r->collected, r->end)) {
        r->failure = errno;
        return false;
    }
    for (uint64_t i = 0; i < r->count; i++)
        sweep_plan_find(s->asked.plan, r->first + i, r->varied + i * varied);
    r->next++;
    return true;
}

void store_rows_free(store_rows *r) {
    memory_free(r->varied), memory_free(r->collected), memory_free(r->end);
    *r = (store_rows){0};
}

const char *sweep_end_words(const sweep_end *e, const char *const *event_name) {
    switch (e->outcome) {
    case SWEEP_REACHED: return "end";
    case SWEEP_STOPPED: return event_name[e->event];
    case SWEEP_NO_START: return "no start";
    case SWEEP_NOT_FINITE: return "not finite";
    case SWEEP_STUCK: return "step too small";
    case SWEEP_SINGULAR: return "constraints dependent";
    case SWEEP_LIMIT: return "limit reached";
    case SWEEP_OTHER: break;
    }
    return "other failure";
}

// --- beginning -----------------------------------------------------------------------------------

static hamel_status find_format(sweep_store *s, context *ctx) {
    const char *path = s->asked.path;
    for (int i = 0; i < FORMAT_COUNT && path; i++)
        if (text_ends_in(path, FORMATS[i]->suffix)) s->format = FORMATS[i];
    if (s->format || !path) return HAMEL_OK;
    diag_error(ctx, (span){0}, "give a name that ends in .csv or .h5",
               "`%s` does not say in which format the runs are to be written", path);
    return HAMEL_USAGE;
}

static hamel_status check_size(const sweep_store *s, context *ctx) {
    const uint64_t most = s->format ? ctx->limits.file_bytes : ctx->limits.table_bytes;
    const double row = 8.0 * ((s->format ? sweep_plan_values(s->asked.plan) : 0) +
                              s->asked.collected_count + sizeof(sweep_end) / 8);
    if (!most || (double)s->runs * row <= (double)most) return HAMEL_OK;
    context_exhaust_limit(ctx, (span){0}, "bytes",
                          s->format ? "bytes of runs in a file" : "bytes of runs in memory", most);
    return HAMEL_LIMIT;
}

static hamel_status open_file(sweep_store *s, context *ctx) {
    text why = {0};
    s->output = output_file_find(s->asked.path);
    const bool good = store_journal_open(s, &why);
    if (good)
        s->piece =
            memory_array(unsigned char, store_piece_bytes(s->chunk_runs, s->asked.collected_count));
    else
        diag_error(ctx, (span){0}, NULL, "cannot write `%s`: %s", s->asked.path, text_string(&why));
    text_free(&why);
    return good ? HAMEL_OK : HAMEL_NUMERICS;
}

hamel_status sweep_store_open(context *ctx, const sweep_store_request *asked, sweep_store **out) {
    assert(asked->chunk_runs);
    sweep_store *s = memory_new(sweep_store);
    *s = (sweep_store){.asked = *asked, .runs = sweep_plan_runs(asked->plan), .disk.file = -1};
    hamel_status status = find_format(s, ctx);
    if (!status) status = check_size(s, ctx);
    const bool good = !status && store_set_chunks(s, asked->chunk_runs);
    assert(good || status); // it is our own that would be too large
    if (!status && s->format) status = open_file(s, ctx);
    if (!status && !s->format) {
        s->collected = memory_array(double, s->runs * asked->collected_count + 1);
        s->end = memory_array(sweep_end, s->runs + 1);
    }
    if (status) sweep_store_close(s), s = NULL;
    *out = s;
    return status;
}

// --- the end -------------------------------------------------------------------------------------

static bool is_our_journal(const sweep_store *s, text *why) {
    struct stat there;
    const bool good = fstat(s->disk.file, &there) == 0 && (uint64_t)there.st_size == s->disk.length;
    if (!good) text_append(why, "its journal was changed by somebody else");
    return good;
}

bool sweep_store_finish(sweep_store *s, context *ctx) {
    if (!s->format) return true;
    text why = {0};
    const output_maker maker = {s->format->write, s};
    const bool good =
        is_our_journal(s, &why) && output_file_make(&s->output, &maker, !s->disk.is_long, &why);
    if (good && s->finished == s->runs) unlink(s->output.journal);
    if (good) s->has_file = true; // what is not whole has its journal beside it, without a run too
    if (!good) {
        say_where(s, &why);
        diag_error(ctx, (span){0}, NULL, "cannot write `%s`: %s", s->asked.path, text_string(&why));
    }
    text_free(&why);
    return good;
}

void sweep_store_close(sweep_store *s) {
    if (s->disk.file >= 0 && !s->finished && s->is_ours && !s->has_file) unlink(s->output.journal);
    descriptor_close(&s->open, s->disk.file); // and lets go of the lock
    if (s->format) output_file_free(&s->output);
    memory_free(s->place), memory_free(s->piece);
    memory_free(s->collected), memory_free(s->end);
    memory_free(s);
}
