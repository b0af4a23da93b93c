// Code from the system's compiler, and the cache in which it is kept.
#include "support/support.h"

#include "execute/cache.h"
#include "execute/module.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char ADDS_ONE[] = "double next(double x) { return x + 1; }\n";
static const char TAKES_A_ROOT[] = "#include <math.h>\ndouble next(double x) { return cbrt(x); }\n";

typedef struct {
    char directory[64];
    world w;
} bench;

static int remove_file(const char *name, const struct stat *is, int kind, struct FTW *at) {
    (void)is, (void)kind, (void)at;
    return remove(name);
}

static int set_up(void **state) {
    bench *b = calloc(1, sizeof *b);
    strcpy(b->directory, "/tmp/hamel-test-XXXXXX");
    if (!mkdtemp(b->directory)) return -1;
    setenv("XDG_CACHE_HOME", b->directory, 1);
    setenv("TMPDIR", b->directory, 1);
    unsetenv("CC");
    b->w = world_open();
    *state = b;
    return 0;
}

static int tear_down(void **state) {
    bench *b = *state;
    world_close(&b->w);
    nftw(b->directory, remove_file, 8, FTW_DEPTH | FTW_PHYS);
    free(b);
    return 0;
}

// --- helpers -------------------------------------------------------------------------------------

static uint32_t count_files(const char *directory, const char *end) {
    uint32_t count = 0;
    DIR *d = opendir(directory);
    for (const struct dirent *at; d && (at = readdir(d));) {
        const size_t n = strlen(at->d_name), m = strlen(end);
        count += at->d_name[0] != '.' && n >= m && strcmp(at->d_name + n - m, end) == 0;
    }
    if (d) closedir(d);
    return count;
}

static const char *cache_of(bench *b) {
    return arena_format(&b->w.ctx->arena, "%s/hamel", b->directory);
}

// The only entry of the cache.
static const char *entry_of(bench *b) {
    const char *found = NULL;
    DIR *d = opendir(cache_of(b));
    for (const struct dirent *at; d && (at = readdir(d));)
        if (at->d_name[0] != '.')
            found = arena_format(&b->w.ctx->arena, "%s/%s", cache_of(b), at->d_name);
    if (d) closedir(d);
    return found;
}

// next(x) of the text, compiled or from the cache; -1 if it could not be loaded.
static double next_of(bench *b, const char *source, double x) {
    const char *error = NULL;
    module *m = module_load(b->w.ctx, source, "-lm", &error);
    if (!m) return -1;
    double (*next)(double) = (double (*)(double))module_symbol(m, "next");
    const double y = next ? next(x) : -1;
    module_free(m);
    return y;
}

static bool is_in_cache(bench *b, const char *source, const char *libraries) {
    module *m = module_find(b->w.ctx, source, libraries);
    module_free(m);
    return m != NULL;
}

static const char *take_home(bench *b) {
    const char *home = getenv("HOME");
    home = home ? arena_format(&b->w.ctx->arena, "%s", home) : NULL;
    unsetenv("HOME");
    return home;
}

static void give_home_back(const char *home) {
    if (home) setenv("HOME", home, 1);
    else unsetenv("HOME");
}

// --- tests ---------------------------------------------------------------------------------------

static void the_hash_is_that_of_the_standard(void **state) {
    (void)state;
    static const struct {
        const char *text, *hex;
    } cases[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sha256 h;
        uint8_t digest[SHA256_BYTES];
        char hex[SHA256_HEX];
        sha256_begin(&h);
        for (const char *c = cases[i].text; *c; c++) sha256_add(&h, c, 1);
        sha256_end(&h, digest);
        sha256_hex(digest, hex);
        assert_string_equal(hex, cases[i].hex);
    }
}

static void a_text_becomes_code_that_is_found_again(void **state) {
    bench *b = *state;
    assert_false(is_in_cache(b, TAKES_A_ROOT, "-lm"));
    assert_true(next_of(b, TAKES_A_ROOT, 8) == 2);
    assert_true(is_in_cache(b, TAKES_A_ROOT, "-lm"));
    assert_int_equal(count_files(cache_of(b), ""), 1); // and nothing that was needed on the way
}

static void another_text_library_or_compiler_is_another_entry(void **state) {
    bench *b = *state;
    next_of(b, ADDS_ONE, 1);
    assert_true(is_in_cache(b, ADDS_ONE, "-lm"));
    assert_false(is_in_cache(b, TAKES_A_ROOT, "-lm"));
    assert_false(is_in_cache(b, ADDS_ONE, "-lm -lc"));
    setenv("CC", "cc -O1", 1);
    assert_false(is_in_cache(b, ADDS_ONE, "-lm"));
    assert_true(next_of(b, ADDS_ONE, 1) == 2);
    unsetenv("CC");
    assert_int_equal(count_files(cache_of(b), ".so"), 2);
}

static void a_damaged_entry_is_made_anew(void **state) {
    bench *b = *state;
    next_of(b, ADDS_ONE, 1);
    const char *entry = entry_of(b);
    struct stat is;
    assert_int_equal(stat(entry, &is), 0);
    for (int way = 0; way < 3; way++) {
        if (way == 0) {
            FILE *f = fopen(entry, "r+b");
            fseek(f, is.st_size / 2, SEEK_SET);
            const int c = fgetc(f);
            fseek(f, is.st_size / 2, SEEK_SET);
            fputc(c ^ 1, f);
            fclose(f);
        } else {
            assert_int_equal(truncate(entry, way == 1 ? is.st_size / 2 : 0), 0);
        }
        assert_false(is_in_cache(b, ADDS_ONE, "-lm"));
        assert_true(next_of(b, ADDS_ONE, 1) == 2);
        assert_true(is_in_cache(b, ADDS_ONE, "-lm"));
    }
}

static void processes_that_compile_at_once_do_not_disturb_one_another(void **state) {
    bench *b = *state;
    enum { PROCESSES = 4 };
    pid_t child[PROCESSES];
    for (int i = 0; i < PROCESSES; i++)
        if ((child[i] = fork()) == 0) _exit(next_of(b, ADDS_ONE, 1) == 2 ? 0 : 1);
    for (int i = 0; i < PROCESSES; i++) {
        int status;
        assert_int_equal(waitpid(child[i], &status, 0), child[i]);
        assert_int_equal(status, 0);
    }
    assert_int_equal(count_files(cache_of(b), ""), 1);
    assert_true(is_in_cache(b, ADDS_ONE, "-lm"));
}

static void without_a_compiler_the_reason_is_said(void **state) {
    bench *b = *state;
    const char *error = NULL;
    setenv("CC", "/nonexistent", 1);
    assert_null(module_load(b->w.ctx, ADDS_ONE, "-lm", &error));
    assert_string_equal(error, "there is no C compiler `/nonexistent`");
}

static void what_the_compiler_said_is_handed_on(void **state) {
    bench *b = *state;
    const char *error = NULL;
    assert_null(module_load(b->w.ctx, "double next(double x) { return y; }\n", "-lm", &error));
    assert_non_null(strstr(error, "the C compiler `cc` failed"));
    assert_non_null(strstr(error, "module.c:1:"));
    assert_int_equal(count_files(cache_of(b), ""), 0);
}

static void a_compiler_that_is_stopped_is_not_started_again(void **state) {
    bench *b = *state;
    const char *script = arena_format(&b->w.ctx->arena, "%s/compiler", b->directory), *error = NULL;
    FILE *f = fopen(script, "w");
    fprintf(f, "#!/bin/sh\n: >>%s/started.$$\nkill -INT $$\n", b->directory);
    fclose(f);
    chmod(script, 0700);
    setenv("CC", script, 1);
    // in the background of a script it is ignored, and a child would inherit that
    signal(SIGINT, SIG_DFL);
    assert_null(module_load(b->w.ctx, ADDS_ONE, "-lm", &error));
    assert_non_null(strstr(error, "was stopped"));
    // the script, the cache, and what the script left once
    assert_int_equal(count_files(b->directory, ""), 3);
}

static void the_names_of_files_and_options_meet_no_shell(void **state) {
    bench *b = *state;
    const char *odd = arena_format(&b->w.ctx->arena, "%s/a b;touch x$(touch y)", b->directory);
    mkdir(odd, 0700);
    setenv("XDG_CACHE_HOME", odd, 1);
    assert_true(next_of(b, ADDS_ONE, 1) == 2);
    assert_true(is_in_cache(b, ADDS_ONE, "-lm"));
}

static void without_a_home_nothing_is_left_behind(void **state) {
    bench *b = *state;
    const char *home = take_home(b);
    unsetenv("XDG_CACHE_HOME");
    assert_true(next_of(b, TAKES_A_ROOT, 8) == 2);
    assert_int_equal(count_files(b->directory, ""), 0);
    give_home_back(home);
}

static void a_cache_below_the_home_serves_where_no_other_is_named(void **state) {
    bench *b = *state;
    const char *home = take_home(b);
    setenv("XDG_CACHE_HOME", "not/absolute", 1);
    setenv("HOME", b->directory, 1);
    assert_string_equal(cache_directory(&b->w.ctx->arena),
                        arena_format(&b->w.ctx->arena, "%s/.cache/hamel", b->directory));
    give_home_back(home);
}

static void code_that_others_could_have_written_is_not_loaded(void **state) {
    bench *b = *state;
    assert_non_null(cache_directory(&b->w.ctx->arena));
    chmod(cache_of(b), 0777);
    assert_null(cache_directory(&b->w.ctx->arena));
    assert_true(next_of(b, ADDS_ONE, 1) == 2);
    assert_int_equal(count_files(cache_of(b), ""), 0);
}

// In a process of its own, which gives up being root where it is.
static void a_cache_that_cannot_be_written_is_done_without(void **state) {
    bench *b = *state;
    enum { NOBODY = 65534 };
    const char *temporary = arena_format(&b->w.ctx->arena, "%s/temporary", b->directory);
    mkdir(cache_of(b), 0700), mkdir(temporary, 0777);
    chmod(b->directory, 0755), chmod(temporary, 0777);
    if (geteuid() == 0) assert_int_equal(chown(cache_of(b), NOBODY, NOBODY), 0);
    chmod(cache_of(b), 0500);
    setenv("TMPDIR", temporary, 1);
    const pid_t child = fork();
    if (child == 0) {
        if (geteuid() == 0 && setuid(NOBODY)) _exit(2);
        _exit(next_of(b, ADDS_ONE, 1) == 2 && cache_directory(&b->w.ctx->arena) &&
                      !count_files(temporary, "")
                  ? 0
                  : 1);
    }
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    assert_int_equal(count_files(cache_of(b), ""), 0);
}

static void where_nothing_can_be_written_the_reason_is_said(void **state) {
    bench *b = *state;
    const pid_t child = fork();
    if (child == 0) {
        const struct rlimit full = {16, 16};
        const char *error = NULL;
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &full);
        const bool none = !module_load(b->w.ctx, ADDS_ONE, "-lm", &error);
        _exit(none && strstr(error, "cannot be written") && !count_files(cache_of(b), "") ? 0 : 1);
    }
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
}

static void the_longest_unused_entries_go_first(void **state) {
    bench *b = *state;
    const char *directory = cache_directory(&b->w.ctx->arena);
    for (int i = 0; i < 4; i++) {
        const char *name = arena_format(&b->w.ctx->arena, "%s/%d.so", directory, i);
        FILE *f = fopen(name, "wb");
        fprintf(f, "%099d\n", i);
        fclose(f);
        const struct timespec then[2] = {{1000000 - i, 0}, {1000000 - i, 0}};
        utimensat(AT_FDCWD, name, then, 0);
    }
    const char *left = arena_format(&b->w.ctx->arena, "%s/build-left", directory);
    const struct timespec then[2] = {{1000000, 0}, {1000000, 0}};
    mkdir(left, 0700);
    utimensat(AT_FDCWD, left, then, 0);
    cache_trim(directory, 200);
    assert_int_equal(count_files(directory, ""), 2);
    assert_int_equal(count_files(directory, "0.so") + count_files(directory, "1.so"), 2);
}

static void an_entry_in_use_stays_young(void **state) {
    bench *b = *state;
    next_of(b, ADDS_ONE, 1);
    const char *entry = entry_of(b);
    const struct timespec then[2] = {{1000000, 0}, {1000000, 0}};
    utimensat(AT_FDCWD, entry, then, 0);
    assert_true(is_in_cache(b, ADDS_ONE, "-lm"));
    struct stat is;
    assert_int_equal(stat(entry, &is), 0);
    assert_true(is.st_mtime > 1000000);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(the_hash_is_that_of_the_standard),
        TEST(a_text_becomes_code_that_is_found_again),
        TEST(another_text_library_or_compiler_is_another_entry),
        TEST(a_damaged_entry_is_made_anew),
        TEST(processes_that_compile_at_once_do_not_disturb_one_another),
        TEST(without_a_compiler_the_reason_is_said),
        TEST(what_the_compiler_said_is_handed_on),
        TEST(a_compiler_that_is_stopped_is_not_started_again),
        TEST(the_names_of_files_and_options_meet_no_shell),
        TEST(without_a_home_nothing_is_left_behind),
        TEST(a_cache_below_the_home_serves_where_no_other_is_named),
        TEST(code_that_others_could_have_written_is_not_loaded),
        TEST(a_cache_that_cannot_be_written_is_done_without),
        TEST(where_nothing_can_be_written_the_reason_is_said),
        TEST(the_longest_unused_entries_go_first),
        TEST(an_entry_in_use_stays_young),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
