// Arenas: what they hand out is zeroed, aligned and apart; under AddressSanitizer
// nothing beside it may be touched.
#include "support/support.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif

static void objects_are_zeroed_aligned_and_apart(void **s) {
    (void)s;
    arena a;
    arena_init(&a);
    enum { OBJECTS = 300 };
    unsigned char *object[OBJECTS];
    for (size_t i = 0; i < OBJECTS; i++) { // of every size to 299, over several blocks
        object[i] = arena_alloc(&a, i);
        assert_int_equal((uintptr_t)object[i] % _Alignof(max_align_t), 0);
        for (size_t j = 0; j < i; j++) assert_int_equal(object[i][j], 0);
        memset(object[i], (int)(i % 251) + 1, i);
    }
    for (size_t i = 0; i < OBJECTS; i++)
        for (size_t j = 0; j < i; j++) assert_int_equal(object[i][j], (int)(i % 251) + 1);
    assert_true(a.total >= OBJECTS * (OBJECTS - 1) / 2);
    arena_free(&a);
    assert_null(a.newest);
    assert_int_equal(a.total, 0);
}

static void objects_larger_than_a_block_have_one_of_their_own(void **s) {
    (void)s;
    arena a;
    arena_init(&a);
    enum { LARGE = 9 << 20 };
    char *small = arena_copy(&a, "small", 5), *large = arena_alloc(&a, LARGE);
    memset(large, 1, LARGE);
    assert_string_equal(small, "small");
    assert_string_equal(arena_format(&a, "%s and %d", small, 7), "small and 7");
    assert_int_equal(large[LARGE - 1], 1);
    arena_free(&a);
}

// --- what no program may do, done by a child -----------------------------------------------------

#ifdef __SANITIZE_ADDRESS__
enum { FINE, BEHIND_THE_LAST, BEHIND_ONE_BEFORE, BEFORE_THE_FIRST, A_BYTE_OF_PADDING };

// The child writes at one place and ends: with 0, or as the sanitizer ends it.
static int touch(int place) {
    arena a;
    arena_init(&a);
    volatile uint32_t *one = arena_array(&a, uint32_t, 3), *two = arena_array(&a, uint32_t, 4);
    volatile char *letters = arena_copy(&a, "abcd", 4);
    switch (place) {
    case FINE: one[2] = two[3] = 1, letters[4] = 0; break;
    case BEHIND_THE_LAST: two[4] = 1; break;
    case BEHIND_ONE_BEFORE: one[3] = 1; break;
    case BEFORE_THE_FIRST: two[-1] = 1; break;
    case A_BYTE_OF_PADDING: letters[5] = 1; break;
    }
    arena_free(&a);
    return 0;
}

static int status_of_a_child_that_touches(int place) {
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const char number[] = {(char)('0' + place), '\0'};
        setenv("ASAN_OPTIONS", "exitcode=99:log_path=/dev/null", 1);
        execl("/proc/self/exe", "t_arena", "touch", number, (char *)NULL);
        _exit(1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void an_overrun_of_an_arena_array_is_caught(void **s) {
    (void)s;
    assert_int_equal(status_of_a_child_that_touches(FINE), 0);
    for (int place = BEHIND_THE_LAST; place <= A_BYTE_OF_PADDING; place++)
        assert_int_equal(status_of_a_child_that_touches(place), 99);
}
#else
static void an_overrun_of_an_arena_array_is_caught(void **s) {
    (void)s;
    skip(); // by the build with sanitizers only
}

static int touch(int place) { return place; }
#endif

int main(int count, char **word) {
    if (count == 3 && strcmp(word[1], "touch") == 0) return touch(atoi(word[2]));
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_are_zeroed_aligned_and_apart),
        cmocka_unit_test(objects_larger_than_a_block_have_one_of_their_own),
        cmocka_unit_test(an_overrun_of_an_arena_array_is_caught),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
