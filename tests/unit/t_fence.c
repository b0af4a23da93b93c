// The fence around reading files of others: what the child may not do, and how its end is told.
#include "base/clock.h"
#include "base/fence.h"
#include "base/sanitizer.h"
#include "support/support.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static const fence_limits SMALL = {.memory = 100 << 20, .output = 1 << 20, .seconds = 1};

static bool count_bytes(const void *bytes, size_t size, void *to) {
    (void)bytes;
    *(size_t *)to += size;
    return true;
}

static fence_outcome run(bool (*work)(fence *f, void *data), void *data) {
    size_t got = 0;
    return fence_run(&(fence_job){.work = work, .data = data, .take = count_bytes, .to = &got},
                     &SMALL);
}

static bool sends(fence *f, void *data) {
    char block[1000] = {0};
    fence_lock();
    for (int i = 0; i < 500; i++)
        if (!fence_send(f, block, sizeof block)) return false;
    return data == NULL;
}

static void what_the_child_sends_arrives_whole(void **s) {
    (void)s;
    size_t got = 0;
    assert_int_equal(
        fence_run(&(fence_job){.work = sends, .take = count_bytes, .to = &got}, &SMALL),
        FENCE_DONE);
    assert_int_equal(got, 500000);
}

// In a process without standard files
static bool is_whole_without_standard_files(fence *f, void *data) {
    (void)f, (void)data;
    size_t got = 0;
    for (int i = 0; i < 3; i++) close(i);
    const fence_job job = {.work = sends, .take = count_bytes, .to = &got};
    return fence_run(&job, &SMALL) == FENCE_DONE && got == 500000;
}

static void closed_standard_files_take_nothing_away(void **s) {
    (void)s;
    assert_int_equal(run(is_whole_without_standard_files, NULL), FENCE_DONE);
}

static void a_refusal_is_told_from_an_end(void **s) {
    (void)s;
    assert_int_equal(run(sends, "refuse"), FENCE_REFUSED);
}

// True if each was refused.
static bool opens(fence *f, void *folder) {
    (void)f;
    char made[200];
    snprintf(made, sizeof made, "%s/made", (const char *)folder);
    fence_lock();
    return open("/etc/passwd", O_RDONLY) < 0 && open(made, O_CREAT | O_WRONLY, 0600) < 0 &&
           socket(AF_UNIX, SOCK_STREAM, 0) < 0 && fork() < 0 && unlink(folder) < 0;
}

static void a_locked_child_opens_makes_and_starts_nothing(void **s) {
    (void)s;
    char folder[] = "/tmp/hamel-fence-XXXXXX";
    assert_non_null(mkdtemp(folder));
    assert_int_equal(run(opens, folder), FENCE_DONE);
    assert_int_equal(rmdir(folder), 0); // it is there, and empty
}

static bool writes(fence *f, void *file) {
    (void)f;
    signal(SIGXFSZ, SIG_IGN);
    return write(*(int *)file, "changed", 7) < 0;
}

static void a_file_that_is_open_cannot_be_written(void **s) {
    (void)s;
    char name[] = "/tmp/hamel-fence-XXXXXX";
    int file = mkstemp(name);
    // the child closes what it inherits, so it has to fail one way or the other
    assert_int_equal(run(writes, &file), FENCE_DONE);
    assert_int_equal(lseek(file, 0, SEEK_END), 0);
    close(file), unlink(name);
}

static bool spins(fence *f, void *data) {
    (void)f;
    for (volatile bool goes_on = true; goes_on;) continue;
    return data == NULL;
}

static void a_child_that_does_not_end_is_ended(void **s) {
    (void)s;
    assert_int_equal(run(spins, NULL), FENCE_TIME);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); // and nobody is left
}

static bool floods(fence *f, void *data) {
    char block[4096] = {0};
    while (fence_send(f, block, sizeof block)) continue;
    return data != NULL;
}

static void a_child_that_sends_without_end_is_ended(void **s) {
    (void)s;
    assert_int_equal(run(floods, NULL), FENCE_OUTPUT);
}

static bool dies(fence *f, void *data) {
    (void)f, (void)data;
    raise(SIGKILL);
    return true;
}

static void a_child_that_dies_is_told(void **s) {
    (void)s;
    assert_int_equal(run(dies, NULL), FENCE_DIED);
}

static void an_interrupt_ends_it(void **s) {
    (void)s;
    static volatile int set = 1;
    fence_limits most = SMALL;
    most.interrupted = &set, most.seconds = 1000;
    size_t got = 0;
    assert_int_equal(fence_run(&(fence_job){.work = spins, .take = count_bytes, .to = &got}, &most),
                     FENCE_INTERRUPTED);
}

static bool takes_memory(fence *f, void *data) {
    (void)f;
    for (size_t taken = 0; taken < (size_t)1 << 30; taken += 1 << 20) {
        volatile char *block = malloc(1 << 20);
        if (!block) return true;
        block[0] = 1;
    }
    return data != NULL;
}

static bool is_refused(fence *f, void *data) {
    (void)data;
    fence_fail(f, EIO);
    return false;
}

static void an_error_of_the_system_is_handed_on(void **s) {
    (void)s;
    errno = 0;
    assert_int_equal(run(is_refused, NULL), FENCE_SYSTEM);
    assert_int_equal(errno, EIO);
}

static bool writes_on(fence *f, void *file) {
    (void)f;
    return write(*(int *)file, "made", 4) == 4;
}

static void work_of_our_own_may_write_files(void **s) {
    (void)s;
    char name[] = "/tmp/hamel-fence-XXXXXX";
    int file = mkstemp(name);
    const fence_job job = {
        .work = writes_on, .data = &file, .take = count_bytes, .keeps_files = true};
    assert_int_equal(fence_run(&job, &(fence_limits){0}), FENCE_DONE);
    assert_int_equal(lseek(file, 0, SEEK_END), 4);
    close(file), unlink(name);
}

// Dead, and nobody has asked how it ended
static bool is_zombie(pid_t process) {
    char name[64], line[256] = "";
    snprintf(name, sizeof name, "/proc/%d/stat", (int)process);
    FILE *f = fopen(name, "r");
    if (!f) return true;
    const bool read = fgets(line, sizeof line, f) != NULL;
    fclose(f);
    const char *state = strrchr(line, ')');
    return !read || (state && strncmp(state, ") Z", 3) == 0);
}

static bool tells_and_sleeps(fence *f, void *data) {
    (void)data;
    const pid_t own = getpid();
    fence_send(f, &own, sizeof own);
    sleep(1000);
    return true;
}

// The first child waits for a lock that nobody opens, as one does that fork() made beside threads;
// those after the tries in the file do their work.
static bool waits_at_first(fence *f, void *file) {
    (void)f;
    const int all = *(int *)file;
    const off_t tries = lseek(all, 0, SEEK_END);
    if (write(all, "x", 1) != 1) return false;
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    for (int i = 0; i < 2 && tries < 1; i++) pthread_mutex_lock(&lock);
    return true;
}

static void one_that_waits_for_ever_is_put_down_and_another_tries(void **s) {
    (void)s;
    char name[] = "/tmp/hamel-fence-XXXXXX";
    int file = mkstemp(name);
    const fence_job job = {
        .work = waits_at_first, .data = &file, .take = count_bytes, .keeps_files = true};
    assert_int_equal(fence_run(&job, &(fence_limits){.asleep = 0.3}), FENCE_DONE);
    assert_int_equal(lseek(file, 0, SEEK_END), 2);
    close(file), unlink(name);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); // and nobody is left
}

static void one_that_said_something_is_not_tried_again(void **s) {
    (void)s;
    size_t got = 0;
    const fence_job job = {.work = tells_and_sleeps, .take = count_bytes, .to = &got};
    assert_int_equal(fence_run(&job, &(fence_limits){.asleep = 0.3}), FENCE_ASLEEP);
    assert_int_equal(got, sizeof(pid_t));
}

static bool computes(fence *f, void *data) {
    (void)f, (void)data;
    const double end = clock_seconds() + 1.5;
    while (clock_seconds() < end) continue;
    return true;
}

static void one_that_computes_in_silence_is_left_alone(void **s) {
    (void)s;
    size_t got = 0;
    const fence_job job = {.work = computes, .take = count_bytes, .to = &got};
    assert_int_equal(fence_run(&job, &(fence_limits){.asleep = 0.3}), FENCE_DONE);
}

static bool end_at_once(const void *bytes, size_t size, void *to) {
    if (size != sizeof(pid_t)) return false;
    const ssize_t sent = write(*(int *)to, bytes, size);
    _exit(sent == (ssize_t)size ? 0 : 1);
}

// A process that has a child at work and ends in the middle of it
static void a_child_ends_with_its_parent(void **s) {
    (void)s;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const pid_t parent = fork();
    if (parent == 0) {
        const fence_job job = {.work = tells_and_sleeps, .take = end_at_once, .to = &ends[1]};
        fence_run(&job, &(fence_limits){0});
        _exit(1);
    }
    pid_t child = 0;
    assert_int_equal(waitpid(parent, NULL, 0), parent);
    assert_int_equal(read(ends[0], &child, sizeof child), sizeof child);
    int tries = 0;
    for (; kill(child, 0) == 0 && !is_zombie(child) && tries < 500; tries++) poll(NULL, 0, 10);
    assert_true(tries < 500);
    close(ends[0]), close(ends[1]);
}

static void memory_has_its_bound(void **s) {
    (void)s;
#ifndef HAMEL_ASAN // the shadow of AddressSanitizer needs its addresses
    assert_int_equal(run(takes_memory, NULL), FENCE_DONE);
#else
    (void)takes_memory;
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_child_sends_arrives_whole),
        cmocka_unit_test(closed_standard_files_take_nothing_away),
        cmocka_unit_test(a_refusal_is_told_from_an_end),
        cmocka_unit_test(a_locked_child_opens_makes_and_starts_nothing),
        cmocka_unit_test(a_file_that_is_open_cannot_be_written),
        cmocka_unit_test(a_child_that_does_not_end_is_ended),
        cmocka_unit_test(a_child_that_sends_without_end_is_ended),
        cmocka_unit_test(a_child_that_dies_is_told),
        cmocka_unit_test(an_interrupt_ends_it),
        cmocka_unit_test(an_error_of_the_system_is_handed_on),
        cmocka_unit_test(work_of_our_own_may_write_files),
        cmocka_unit_test(a_child_ends_with_its_parent),
        cmocka_unit_test(memory_has_its_bound),
        cmocka_unit_test(one_that_waits_for_ever_is_put_down_and_another_tries),
        cmocka_unit_test(one_that_said_something_is_not_tried_again),
        cmocka_unit_test(one_that_computes_in_silence_is_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
