// malloc() and its like as the linker puts them in front of those of the C library.
#include "support/exhaustion.h"

#include <dirent.h>
#include <stdlib.h>

static _Thread_local struct {
    long at, count, living;
    bool for_good;
    volatile int *flag;
} now;

void exhaust_at(long k, bool for_good) {
    now.at = k, now.count = 0, now.for_good = for_good, now.flag = NULL;
}
void exhaust_interrupt_at(long k, volatile int *flag) {
    exhaust_at(k, false);
    now.flag = flag;
}
long exhaust_count(void) { return now.count; }
long exhaust_living(void) { return now.living; }

int exhaust_open(void) {
    int count = 0;
    DIR *d = opendir("/proc/self/fd");
    while (d && readdir(d)) count++;
    if (d) closedir(d);
    return count;
}

static bool fails(void) {
    now.count++;
    if (now.flag) {
        if (now.count == now.at) *now.flag = 1;
        return false;
    }
    return now.at && (now.for_good ? now.count >= now.at : now.count == now.at);
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *p);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void __wrap_free(void *p);

static void *taken(void *p) {
    if (p) now.living++;
    return p;
}

void *__wrap_malloc(size_t size) { return fails() ? NULL : taken(__real_malloc(size)); }
void *__wrap_calloc(size_t count, size_t size) {
    return fails() ? NULL : taken(__real_calloc(count, size));
}
void *__wrap_realloc(void *old, size_t size) {
    if (fails()) return NULL;
    return old ? __real_realloc(old, size) : taken(__real_realloc(old, size));
}
void __wrap_free(void *p) {
    if (p) now.living--;
    __real_free(p);
}
