// Chunks of a sweep in its journal and in its file: in any order, torn, flipped, on a full disk,
// taken up again. Files are read back by code of this test, and by HDF5's own calls.
#include "support/support.h"

#include "base/bytes.h"
#include "base/random.h"
#include "record/sealed.h"
#include "record/stored.h"
#include "sweep/store.h"

#include <fcntl.h>
#include <hdf5.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

// --- a plan and results, made of the number of a run ---------------------------------------------

struct sweep_plan {
    uint64_t runs, seed;
    uint32_t values;
};

uint64_t sweep_plan_runs(const sweep_plan *p) { return p->runs; }
uint32_t sweep_plan_values(const sweep_plan *p) { return p->values; }
bool sweep_plan_is_parameter(const sweep_plan *p, uint32_t value) { return p->values && !value; }

const char *sweep_plan_name(const sweep_plan *p, uint32_t value) {
    static const char *const NAMES[] = {"g", "x'", "q[1,2]"};
    return p->values ? NAMES[value] : NULL;
}

// The second and the third value are read from rows, and stand along one axis
const sweep_layout *sweep_plan_layout(const sweep_plan *p) {
    static const sweep_axis AXES[] = {{.kind = AXIS_UNIFORM, .target_count = 1},
                                      {.kind = AXIS_LIST, .target_count = 2}};
    static const sweep_layout all = {.axis_count = 2, .axis = AXES}, none = {0};
    return p->values ? &all : &none;
}

static double number_of(uint64_t seed, uint64_t a, uint64_t b) {
    static const double SPECIAL[] = {0, -0.0, NAN, INFINITY, -INFINITY, 5e-324, 0.1, 1e300};
    uint64_t state = seed * 1000003 + a * 8191 + b;
    random_next(&state);
    const uint64_t bits = random_next(&state);
    if (bits % 5 == 0) return SPECIAL[bits / 5 % 8];
    return ((double)(bits >> 11) * 0x1p-53 - 0.5) * pow(10, (double)(bits % 7) - 3);
}

void sweep_plan_find(const sweep_plan *p, uint64_t run, double *values) {
    for (uint32_t i = 0; i < p->values; i++) values[i] = number_of(p->seed, run, i);
}

enum { COLLECTED = 2, EVENTS = 2, MOST_CHUNK = 400 };
static const char *const COLLECTED_NAMES[] = {"top", "way, long"};
static const char *const UNITS[] = {"rad", NULL};
static const char *const EVENT_NAMES[] = {"fall", "turn"};

static sweep_end end_of(uint64_t run) {
    uint64_t state = run;
    const uint64_t kind = random_next(&state) % 10;
    const bool stopped = kind == SWEEP_STOPPED || kind > SWEEP_OTHER;
    return (sweep_end){number_of(3, run, 0), stopped ? SWEEP_STOPPED : (sweep_outcome)kind,
                       stopped ? (int32_t)(run % EVENTS) : -1};
}

static const char *word_of(uint64_t run) {
    static const char *const WORDS[] = {"end",
                                        "",
                                        "no start",
                                        "not finite",
                                        "step too small",
                                        "constraints dependent",
                                        "limit reached",
                                        "other failure"};
    const sweep_end e = end_of(run);
    return e.event >= 0 ? EVENT_NAMES[e.event] : WORDS[e.outcome];
}

// --- a folder and a store for one test -----------------------------------------------------------

static char folder[] = "/tmp/hamel-store-XXXXXX";
static hamel_context *ctx;
static sweep_plan plan;
static sweep_setting settings[] = {{"method", "dop853"}, {"tolerance", "1e-9"}};

static const char *path(const char *name) {
    static char paths[64][120];
    static int next;
    char *p = paths[next++ % 64];
    snprintf(p, sizeof paths[0], "%s/%s", folder, name);
    return p;
}

static int begin(void **s) {
    (void)s;
    strcpy(folder, "/tmp/hamel-store-XXXXXX");
    plan = (sweep_plan){1000, 1, 3};
    settings[1].value = "1e-9";
    ctx = hamel_context_create();
    return mkdtemp(folder) ? 0 : -1;
}

static int end(void **s) {
    (void)s;
    char command[100];
    snprintf(command, sizeof command, "chmod -R u+w '%s'; rm -rf '%s'", folder, folder);
    hamel_context_destroy(ctx);
    return system(command);
}

static sweep_store_request request(const char *file, uint64_t chunk_runs, bool resume) {
    return (sweep_store_request){.path = file,
                                 .plan = &plan,
                                 .collected_count = COLLECTED,
                                 .collected_name = COLLECTED_NAMES,
                                 .collected_unit = UNITS,
                                 .event_count = EVENTS,
                                 .event_name = EVENT_NAMES,
                                 .chunk_runs = chunk_runs,
                                 .version = "1.2.3",
                                 .model = "system s\ncoord x\n",
                                 .setting_count = 2,
                                 .setting = settings,
                                 .resume = resume};
}

static sweep_store *open_store(const char *file, uint64_t chunk_runs, bool resume) {
    const sweep_store_request r = request(file, chunk_runs, resume);
    sweep_store *s = NULL;
    context_forget(ctx);
    const hamel_status status = sweep_store_open(ctx, &r, &s);
    if (status) print_error("%s\n", hamel_diagnostics(ctx));
    assert_int_equal(status, HAMEL_OK);
    return s;
}

static void assert_refused(const sweep_store_request *r, hamel_status expected, const char *words) {
    sweep_store *s = NULL;
    context_forget(ctx);
    assert_int_equal(sweep_store_open(ctx, r, &s), expected);
    assert_null(s);
    char *said = hamel_diagnostics(ctx);
    if (!strstr(said, words)) print_error("`%s` is not in: %s", words, said);
    assert_non_null(strstr(said, words));
    hamel_free(said);
}

static bool put(sweep_store *s, uint64_t chunk, text *why) {
    static double collected[MOST_CHUNK * COLLECTED];
    static sweep_end ends[MOST_CHUNK];
    const uint64_t first = sweep_store_first(s, chunk), count = sweep_store_count(s, chunk);
    assert_true(count <= MOST_CHUNK);
    for (uint64_t i = 0; i < count; i++) {
        for (int k = 0; k < COLLECTED; k++)
            collected[i * COLLECTED + k] = number_of(7, first + i, k);
        ends[i] = end_of(first + i);
    }
    return sweep_store_put(s, chunk, collected, ends, why);
}

// Chunks that are missing, in random order, but for `left` of them: how many were put
static uint64_t compute(sweep_store *s, uint64_t *random, uint64_t left) {
    const uint64_t chunks = sweep_store_chunks(s);
    uint64_t *order = calloc(chunks + 1, sizeof *order), missing = 0, done = 0;
    for (uint64_t i = 0; i < chunks; i++)
        if (!sweep_store_has(s, i)) order[missing++] = i;
    for (; missing > left; done++) {
        const uint64_t at = random_next(random) % missing;
        text why = {0};
        assert_true(put(s, order[at], &why));
        order[at] = order[--missing];
    }
    free(order);
    return done;
}

static char *read_file(const char *file, size_t *size) {
    FILE *f = fopen(file, "rb");
    if (!f) return NULL;
    fseek(f, 0, SEEK_END);
    *size = (size_t)ftell(f);
    rewind(f);
    char *bytes = malloc(*size + 1);
    assert_int_equal(fread(bytes, 1, *size, f), *size);
    bytes[*size] = 0;
    fclose(f);
    return bytes;
}

static void write_file(const char *file, const char *bytes, size_t size) {
    FILE *f = fopen(file, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    fclose(f);
}

static void assert_same_files(const char *a, const char *b) {
    size_t m = 0, n = 0;
    char *x = read_file(a, &m), *y = read_file(b, &n);
    assert_true(x && y);
    assert_int_equal(m, n);
    assert_memory_equal(x, y, n);
    free(x), free(y);
}

static void make_whole(const char *file, uint64_t chunk_runs) {
    sweep_store *s = open_store(file, chunk_runs, false);
    for (uint64_t i = 0; i < sweep_store_chunks(s); i++) {
        text why = {0};
        assert_true(put(s, i, &why));
    }
    assert_true(sweep_store_finish(s, ctx));
    sweep_store_close(s);
    assert_int_not_equal(access(path("w.csv.journal"), F_OK), 0);
}

// --- tests: what a file holds --------------------------------------------------------------------

static bool is_same(double a, double b) {
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static const char *number_at(const char *at, double *value) {
    char *next;
    *value = strtod(at, &next);
    assert_true(next > at && *next == ',');
    return next + 1;
}

static void assert_line(const char **at, uint64_t run) {
    double value;
    for (uint32_t i = 0; i < plan.values; i++) {
        *at = number_at(*at, &value);
        assert_true(is_same(value, number_of(plan.seed, run, i)));
    }
    for (int i = 0; i < COLLECTED; i++) {
        *at = number_at(*at, &value);
        assert_true(is_same(value, number_of(7, run, i)));
    }
    const char *word = word_of(run);
    assert_memory_equal(*at, word, strlen(word));
    *at += strlen(word);
    assert_int_equal(*(*at)++, '\n');
}

static void a_csv_file_holds_runs_in_their_order(void **s) {
    (void)s;
    static const char HEAD[] = "g,x',\"q[1,2]\",top,\"way, long\",ended\n";
    make_whole(path("w.csv"), 64);
    size_t size;
    char *bytes = read_file(path("w.csv"), &size);
    assert_memory_equal(bytes, HEAD, sizeof HEAD - 1);
    const char *at = bytes + sizeof HEAD - 1;
    for (uint64_t i = 0; i < plan.runs; i++) assert_line(&at, i);
    assert_ptr_equal(at, bytes + size);
    free(bytes);
}

enum { MOST_READ = 20000 }; // more than are written at a time
typedef struct {
    hid_t file;
    double number[MOST_READ];
    uint64_t count;
} h5_file;

static void read_numbers(h5_file *f, const char *name) {
    const hid_t data = H5Dopen2(f->file, name, H5P_DEFAULT), space = H5Dget_space(data);
    assert_true(data >= 0);
    f->count = (uint64_t)H5Sget_simple_extent_npoints(space);
    assert_true(f->count <= MOST_READ);
    assert_true(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, f->number) >= 0);
    H5Sclose(space), H5Dclose(data);
}

static const char (*read_texts(h5_file *f, const char *object, const char *name))[80] {
    const hid_t a = H5Aopen_by_name(f->file, object, name, H5P_DEFAULT, H5P_DEFAULT),
                type = H5Aget_type(a), space = H5Aget_space(a);
    static char texts[40][80];
    char *read[40];
    assert_true(a >= 0 && H5Aread(a, type, read) >= 0);
    for (int i = 0; i < H5Sget_simple_extent_npoints(space); i++) {
        snprintf(texts[i], sizeof texts[i], "%s", read[i]);
        H5free_memory(read[i]);
    }
    H5Tclose(type), H5Sclose(space), H5Aclose(a);
    return texts;
}

static void assert_text(h5_file *f, const char *object, const char *name, const char *expected) {
    assert_string_equal(read_texts(f, object, name)[0], expected);
}

static void an_hdf5_file_holds_runs_and_what_they_are_of(void **s) {
    (void)s;
    static h5_file f;
    plan.runs = MOST_READ - 1;
    make_whole(path("w.h5"), 400);
    f = (h5_file){.file = H5Fopen(path("w.h5"), H5F_ACC_RDONLY, H5P_DEFAULT)};
    assert_true(f.file >= 0);
    const char *const varied[] = {"/varied/g", "/varied/x'", "/varied/q[1,2]"};
    for (uint32_t k = 0; k < plan.values; k++) {
        read_numbers(&f, varied[k]);
        assert_int_equal(f.count, plan.runs);
        for (uint64_t i = 0; i < f.count; i++)
            assert_true(is_same(f.number[i], number_of(plan.seed, i, k)));
    }
    read_numbers(&f, "/collected/way, long");
    for (uint64_t i = 0; i < f.count; i++) assert_true(is_same(f.number[i], number_of(7, i, 1)));
    read_numbers(&f, "/end");
    for (uint64_t i = 0; i < f.count; i++) assert_true(is_same(f.number[i], end_of(i).t));
    read_numbers(&f, "/run");
    for (uint64_t i = 0; i < f.count; i++) assert_true(f.number[i] == (double)i);
    read_numbers(&f, "/ended");
    const char(*words)[80] = read_texts(&f, "/ended", "words");
    for (uint64_t i = 0; i < f.count; i++) assert_string_equal(words[(int)f.number[i]], word_of(i));
    assert_text(&f, "/", "model", "system s\ncoord x\n");
    assert_text(&f, "/", "version", "1.2.3");
    assert_text(&f, "/", "outcome", "finished");
    assert_text(&f, "/settings", "tolerance", "1e-9");
    assert_text(&f, "/varied/g", "kind", "parameter");
    assert_text(&f, "/varied/x'", "kind", "initial value");
    assert_text(&f, "/collected/top", "unit", "rad");
    assert_string_equal(read_texts(&f, "/collected", "columns")[1], "way, long");
    H5Fclose(f.file);
}

static void an_hdf5_file_is_read_back_as_it_was_written(void **s) {
    (void)s;
    static const char *const NAMES[] = {"g", "x'", "q[1,2]", "top", "way, long", "ended"};
    plan.runs = MOST_READ - 1;
    make_whole(path("w.h5"), 400);
    stored_rows r;
    assert_int_equal(stored_read(ctx, path("w.h5"), &r), HAMEL_OK);
    assert_int_equal(r.rows.column_count, plan.values + COLLECTED + 1);
    assert_int_equal(r.rows.row_count, plan.runs);
    assert_int_equal(r.varied_count, plan.values);
    for (uint32_t k = 0; k < r.rows.column_count; k++)
        assert_string_equal(r.column[k].name, NAMES[k]);
    assert_string_equal(r.column[3].unit, "rad");
    assert_null(r.column[4].unit);
    assert_true(!r.is_axis[0] && r.is_axis[1] && !r.is_axis[2] && !r.is_axis[3]);
    for (uint64_t i = 0; i < plan.runs; i++) {
        for (uint32_t k = 0; k < plan.values; k++)
            assert_true(is_same(table_at(&r.rows, i, k), number_of(plan.seed, i, k)));
        for (uint32_t k = 0; k < COLLECTED; k++)
            assert_true(is_same(table_at(&r.rows, i, plan.values + k), number_of(7, i, k)));
        const double word = table_at(&r.rows, i, plan.values + COLLECTED);
        assert_string_equal(r.word[(uint32_t)word], word_of(i));
    }
    table_free(&r.rows);
}

static void what_is_in_memory_comes_back(void **s) {
    (void)s;
    uint64_t random = 4;
    sweep_store *store = open_store(NULL, 77, false);
    compute(store, &random, 3);
    for (uint64_t c = 0; c < sweep_store_chunks(store); c++) {
        double collected[77 * COLLECTED];
        sweep_end ends[77];
        const bool there = sweep_store_get(store, c, collected, ends);
        assert_int_equal(there, sweep_store_has(store, c));
        for (uint64_t i = 0; there && i < sweep_store_count(store, c); i++) {
            const uint64_t run = sweep_store_first(store, c) + i;
            assert_true(is_same(collected[i * COLLECTED + 1], number_of(7, run, 1)));
            assert_int_equal(ends[i].event, end_of(run).event);
        }
    }
    assert_true(sweep_store_finish(store, ctx));
    sweep_store_close(store);
}

// --- tests: order, and going on ------------------------------------------------------------------

static void the_order_of_chunks_does_not_show(void **s) {
    (void)s;
    uint64_t random = 5;
    static const char *const FILES[] = {"w.csv", "w.h5"};
    for (int i = 0; i < 12; i++) {
        plan.runs = 1 + random_next(&random) % 1500;
        const char *file = path(i % 2 ? "x.csv" : "x.h5"), *whole = path(FILES[!(i % 2)]);
        make_whole(whole, 64);
        unlink(file);
        sweep_store *store = open_store(file, 1 + random_next(&random) % 300, false);
        uint64_t kept = 0;
        while (kept < plan.runs) { // cut short again and again, with other chunks asked for
            compute(store, &random, random_next(&random) % (sweep_store_chunks(store) + 1));
            kept = sweep_store_runs(store);
            sweep_store_close(store);
            store = open_store(file, 1 + random_next(&random) % 300, true);
            assert_int_equal(sweep_store_resumed(store), kept);
        }
        assert_int_equal(compute(store, &random, 0), 0);
        assert_true(sweep_store_finish(store, ctx));
        sweep_store_close(store);
        assert_same_files(file, whole);
    }
}

static void an_interrupted_sweep_leaves_a_file_and_its_journal(void **s) {
    (void)s;
    uint64_t random = 6;
    make_whole(path("w.csv"), 64);
    sweep_store *store = open_store(path("x.csv"), 10, false);
    compute(store, &random, 60);
    assert_true(sweep_store_finish(store, ctx));
    size_t size;
    char *bytes = read_file(path("x.csv"), &size);
    const char *at = strchr(bytes, '\n') + 1;
    for (uint64_t i = 0; i < plan.runs; i++)
        if (sweep_store_has(store, i / 10)) assert_line(&at, i);
    assert_ptr_equal(at, bytes + size);
    free(bytes);
    sweep_store_close(store);
    assert_int_equal(access(path("x.csv.journal"), F_OK), 0);
    store = open_store(path("x.csv"), 10, true);
    assert_int_equal(sweep_store_resumed(store), 400);
    assert_int_equal(compute(store, &random, 0), 60);
    assert_true(sweep_store_finish(store, ctx));
    double collected[10 * COLLECTED];
    sweep_end ends[10];
    assert_true(sweep_store_get(store, 99, collected, ends)); // the journal has no name any more
    assert_true(is_same(collected[0], number_of(7, 990, 0)));
    sweep_store_close(store);
    assert_same_files(path("x.csv"), path("w.csv"));
    assert_int_not_equal(access(path("x.csv.journal"), F_OK), 0);
}

// --- tests: damage -------------------------------------------------------------------------------

// Goes on from these bytes of a journal to the file of a sweep that nobody disturbed: runs that
// counted; UINT64_MAX where they were refused in words.
static uint64_t go_on_from(const char *bytes, size_t size, uint64_t *random) {
    write_file(path("x.csv.journal"), bytes, size);
    unlink(path("x.csv"));
    const sweep_store_request r = request(path("x.csv"), 10, true);
    sweep_store *s = NULL;
    context_forget(ctx);
    const hamel_status status = sweep_store_open(ctx, &r, &s);
    if (status) {
        assert_int_equal(status, HAMEL_NUMERICS);
        char *said = hamel_diagnostics(ctx);
        assert_true(strstr(said, "no journal of a sweep") || strstr(said, "damaged"));
        hamel_free(said);
        return UINT64_MAX;
    }
    const uint64_t kept = sweep_store_resumed(s);
    assert_int_equal(compute(s, random, 0) * 10, plan.runs - kept);
    assert_true(sweep_store_finish(s, ctx));
    sweep_store_close(s);
    assert_same_files(path("x.csv"), path("w.csv"));
    return kept;
}

static char *journal_of_a_killed_sweep(size_t *size) {
    uint64_t random = 9;
    plan.runs = 80;
    make_whole(path("w.csv"), 64);
    sweep_store *s = open_store(path("x.csv"), 10, false);
    compute(s, &random, 2);
    sweep_store_close(s);
    return read_file(path("x.csv.journal"), size);
}

static void a_journal_may_be_torn_at_every_byte(void **s) {
    (void)s;
    size_t size;
    uint64_t random = 10, steps = 0, before = 0;
    char *bytes = journal_of_a_killed_sweep(&size);
    for (size_t cut = 0; cut <= size; cut++) {
        const uint64_t kept = go_on_from(bytes, cut, &random);
        assert_true(kept == before || kept == before + 10);
        steps += kept != before;
        before = kept;
    }
    assert_int_equal(before, 60);
    assert_int_equal(steps, 6);
    free(bytes);
}

static void a_flipped_bit_costs_no_more_than_its_chunk(void **s) {
    (void)s;
    size_t size;
    uint64_t random = 11, refused = 0;
    char *bytes = journal_of_a_killed_sweep(&size);
    const uint64_t piece = 16 + 8 + 10 * (8 * COLLECTED + 12), head = size - 6 * piece;
    for (int i = 0; i < 300; i++) {
        const size_t at = random_next(&random) % size;
        const char flip = (char)(1 << random_next(&random) % 8);
        bytes[at] ^= flip;
        const uint64_t kept = go_on_from(bytes, size, &random);
        bytes[at] ^= flip;
        const bool in_frame = at >= head && (at - head) % piece < 16;
        if (kept == UINT64_MAX) refused++;
        if (at >= head && !in_frame) assert_int_equal(kept, 50);
        else assert_true((at < head) == (kept == UINT64_MAX));
    }
    assert_true(refused > 0);
    free(bytes);
}

// Pieces with right sums and wrong contents: made by hand, as nobody else would.
static void put_piece(text *out, const char *kind, uint64_t chunk, uint64_t bytes, uint32_t code) {
    const size_t at = sealed_begin(out);
    bytes_put(out, chunk, 8);
    while (out->length - at < 16 + bytes) bytes_put(out, code, 4);
    sealed_end(out, at, kind);
}

static void what_no_store_writes_is_passed_over(void **s) {
    (void)s;
    size_t size;
    uint64_t random = 12;
    char *bytes = journal_of_a_killed_sweep(&size);
    const uint64_t piece = 8 + 10 * (8 * COLLECTED + 12);
    const struct {
        uint64_t chunk, bytes;
        uint32_t code;
    } wrong[] = {{8, piece, 0},     {UINT64_MAX, piece, 0}, {1, piece - 4, 0}, {1, 8, 0},
                 {1, piece + 4, 0}, {1, piece, 8},          {1, piece, 1},     {1, piece, 0x100},
                 {1, piece, 0x301}, {1, piece, 0xFFFFFF01}};
    const uint64_t head = size - 6 * (16 + piece);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        text t = {0};
        text_append_n(&t, bytes, head);
        put_piece(&t, "RUNS", wrong[i].chunk, wrong[i].bytes, wrong[i].code);
        text_append_n(&t, bytes + head, size - head);
        assert_int_equal(go_on_from(t.bytes, t.length, &random), 60);
        text_free(&t);
    }
    free(bytes);
}

static void the_last_chunk_of_another_size_counts(void **s) {
    (void)s;
    uint64_t random = 13;
    plan.runs = 201;
    sweep_store *store = open_store(path("x.csv"), 100, false);
    text why = {0};
    assert_int_equal(sweep_store_count(store, 2), 1);
    assert_true(put(store, 2, &why));
    sweep_store_close(store);
    store = open_store(path("x.csv"), 7, true);
    assert_int_equal(sweep_store_resumed(store), 1);
    assert_int_equal(compute(store, &random, 0), 2);
    sweep_store_close(store);
}

// --- tests: refusals -----------------------------------------------------------------------------

static void another_sweep_is_refused_in_words(void **s) {
    (void)s;
    uint64_t random = 14;
    const char *file = path("x.csv");
    sweep_store *store = open_store(file, 100, false);
    compute(store, &random, 5);
    sweep_store_close(store);
    sweep_store_request r = request(file, 100, false);
    assert_refused(&r, HAMEL_NUMERICS, "holds 500 of its 1000 runs; --resume goes on");
    r = request(file, 100, true);
    settings[1].value = "1e-8";
    assert_refused(&r, HAMEL_NUMERICS, "its tolerance is `1e-9`, and here it is `1e-8`");
    settings[1].value = "1e-9";
    r.setting_count = 1;
    assert_refused(&r, HAMEL_NUMERICS, "it has other settings");
    r = request(file, 100, true), r.model = "system s\ncoord y\n";
    assert_refused(&r, HAMEL_NUMERICS, "the text of its model is another");
    r = request(file, 100, true), r.version = "1.2.4";
    assert_refused(&r, HAMEL_NUMERICS, "begun by version `1.2.3` of hamel, and this is `1.2.4`");
    r = request(file, 100, true), plan.runs = 999;
    assert_refused(&r, HAMEL_NUMERICS, "it has 1000 runs, and here there are 999");
    plan.runs = 1000, plan.seed = 2;
    assert_refused(&r, HAMEL_NUMERICS, "it varies or collects something else");
    plan.seed = 1, r.collected_unit = NULL;
    assert_refused(&r, HAMEL_NUMERICS, "it varies or collects something else");
    store = open_store(file, 100, true); // and none of this has changed it
    assert_int_equal(sweep_store_resumed(store), 500);
    sweep_store_close(store);
}

static void files_of_others_are_left_alone(void **s) {
    (void)s;
    static const char OTHERS[] = "something of somebody else, long enough for a head";
    sweep_store_request r = request(path("x.csv"), 100, false);
    write_file(path("x.csv.journal"), OTHERS, sizeof OTHERS);
    assert_refused(&r, HAMEL_NUMERICS, "is no journal of a sweep");
    r.resume = true;
    assert_refused(&r, HAMEL_NUMERICS, "is no journal of a sweep");
    size_t size;
    char *bytes = read_file(path("x.csv.journal"), &size);
    assert_memory_equal(bytes, OTHERS, sizeof OTHERS);
    free(bytes);
    unlink(path("x.csv.journal"));
    write_file(path("x.csv"), OTHERS, sizeof OTHERS);
    assert_refused(&r, HAMEL_NUMERICS, "no journal of an unfinished sweep is beside it");
    assert_int_not_equal(access(path("x.csv.journal"), F_OK), 0);
    r = request(path("x.txt"), 100, false);
    assert_refused(&r, HAMEL_USAGE, "in which format");
    r = request(path("none/x.csv"), 100, false);
    assert_refused(&r, HAMEL_NUMERICS, "No such file");
    mkdir(path("d.csv"), 0777);
    r = request(path("d.csv"), 100, false);
    assert_refused(&r, HAMEL_NUMERICS, "no regular file");
}

static void sizes_have_limits(void **s) {
    (void)s;
    sweep_store_request r = request(path("y.csv"), 100, false);
    ctx->limits.file_bytes = 1000;
    assert_refused(&r, HAMEL_LIMIT, "bytes of runs in a file");
    hamel_context_destroy(ctx);
    ctx = hamel_context_create();
    ctx->limits.table_bytes = 1000;
    r.path = NULL;
    assert_refused(&r, HAMEL_LIMIT, "bytes of runs in memory");
}

static void a_sweep_under_way_is_not_disturbed(void **s) {
    (void)s;
    sweep_store *store = open_store(path("x.csv"), 100, false);
    sweep_store_request r = request(path("x.csv"), 100, true);
    assert_refused(&r, HAMEL_NUMERICS, "another run is writing it");
    text why = {0};
    assert_true(put(store, 3, &why));
    sweep_store_close(store);
}

static void a_sweep_without_a_run_leaves_nothing(void **s) {
    (void)s;
    sweep_store_close(open_store(path("x.csv"), 100, false));
    assert_int_not_equal(access(path("x.csv.journal"), F_OK), 0);
}

static void a_file_without_a_run_can_be_gone_on_with(void **s) {
    (void)s;
    uint64_t random = 3;
    sweep_store *store = open_store(path("x.csv"), 10, false);
    assert_true(sweep_store_finish(store, ctx)); // stopped before the first chunk
    sweep_store_close(store);
    assert_int_equal(access(path("x.csv"), F_OK), 0);
    store = open_store(path("x.csv"), 10, true);
    assert_int_equal(compute(store, &random, 0), 100);
    assert_true(sweep_store_finish(store, ctx));
    sweep_store_close(store);
    make_whole(path("w.csv"), 64);
    assert_same_files(path("x.csv"), path("w.csv"));
    assert_int_not_equal(access(path("x.csv.journal"), F_OK), 0);
}

static void a_changed_journal_makes_no_file(void **s) {
    (void)s;
    sweep_store *store = open_store(path("x.csv"), 400, false);
    text why = {0};
    assert_true(put(store, 0, &why) && put(store, 1, &why));
    const off_t sizes[] = {5000, 500000}; // shorter, and longer than it was
    for (int i = 0; i < 2; i++) {
        assert_int_equal(truncate(path("x.csv.journal"), sizes[i]), 0);
        assert_false(sweep_store_finish(store, ctx));
        assert_int_not_equal(access(path("x.csv"), F_OK), 0);
    }
    sweep_store_close(store);
}

// --- tests: a full disk --------------------------------------------------------------------------

static void allow_files_of(rlim_t bytes) {
    struct rlimit now;
    getrlimit(RLIMIT_FSIZE, &now);
    now.rlim_cur = bytes;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &now), 0);
}

static void a_full_disk_costs_no_finished_chunk(void **s) {
    (void)s;
    uint64_t random = 15;
    signal(SIGXFSZ, SIG_IGN);
    make_whole(path("w.csv"), 64), make_whole(path("w.h5"), 64);
    for (int i = 0; i < 10; i++) {
        const char *file = path(i % 2 ? "x.csv" : "x.h5");
        unlink(file);
        sweep_store *store = open_store(file, 20, false);
        text why = {0};
        const rlim_t most = 5000 + random_next(&random) % 30000;
        allow_files_of(most);
        uint64_t kept = 0;
        while (kept < 50 && put(store, kept, &why)) kept++;
        const bool said = kept == 50 || strstr(text_string(&why), "--resume goes on from there");
        const bool made = sweep_store_finish(store, ctx);
        const bool there = access(file, F_OK) == 0;
        sweep_store_close(store);
        allow_files_of(RLIM_INFINITY);
        assert_true(said);
        assert_int_equal(made, there);
        store = open_store(file, 20, true);
        assert_int_equal(sweep_store_resumed(store), 20 * kept);
        compute(store, &random, 0);
        assert_true(sweep_store_finish(store, ctx));
        sweep_store_close(store);
        assert_same_files(file, path(i % 2 ? "w.csv" : "w.h5"));
        text_free(&why);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_csv_file_holds_runs_in_their_order, begin, end),
        cmocka_unit_test_setup_teardown(an_hdf5_file_holds_runs_and_what_they_are_of, begin, end),
        cmocka_unit_test_setup_teardown(an_hdf5_file_is_read_back_as_it_was_written, begin, end),
        cmocka_unit_test_setup_teardown(what_is_in_memory_comes_back, begin, end),
        cmocka_unit_test_setup_teardown(the_order_of_chunks_does_not_show, begin, end),
        cmocka_unit_test_setup_teardown(an_interrupted_sweep_leaves_a_file_and_its_journal, begin,
                                        end),
        cmocka_unit_test_setup_teardown(a_journal_may_be_torn_at_every_byte, begin, end),
        cmocka_unit_test_setup_teardown(a_flipped_bit_costs_no_more_than_its_chunk, begin, end),
        cmocka_unit_test_setup_teardown(what_no_store_writes_is_passed_over, begin, end),
        cmocka_unit_test_setup_teardown(the_last_chunk_of_another_size_counts, begin, end),
        cmocka_unit_test_setup_teardown(another_sweep_is_refused_in_words, begin, end),
        cmocka_unit_test_setup_teardown(files_of_others_are_left_alone, begin, end),
        cmocka_unit_test_setup_teardown(sizes_have_limits, begin, end),
        cmocka_unit_test_setup_teardown(a_sweep_under_way_is_not_disturbed, begin, end),
        cmocka_unit_test_setup_teardown(a_sweep_without_a_run_leaves_nothing, begin, end),
        cmocka_unit_test_setup_teardown(a_file_without_a_run_can_be_gone_on_with, begin, end),
        cmocka_unit_test_setup_teardown(a_changed_journal_makes_no_file, begin, end),
        cmocka_unit_test_setup_teardown(a_full_disk_costs_no_finished_chunk, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
