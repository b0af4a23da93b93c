// Threads that take runs of a list until there are no more.
#include "sweep/drive_list.h"

#include "base/budget.h"
#include "base/recovery.h"

#include <pthread.h>
#include <time.h>

struct list_crew;
typedef struct {
    struct list_crew *crew;
    uint32_t number;
    pthread_t thread;
    bool started;
    double *values; // of the runs that it has taken
} list_hand;

typedef struct list_crew {
    const sweep_list_drive *d;
    const uint64_t *run;
    double *collected;
    sweep_end *end;
    uint64_t count, next, done, each; // runs; each: taken at a time
    guard open;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint32_t hands, working;
    bool ends, broken;
    list_hand *hand;
} list_crew;

static bool run_part(const list_hand *h, uint64_t first, uint64_t count) {
    const list_crew *c = h->crew;
    sweep_engine *e = c->d->engine;
    for (uint64_t i = 0; i < count; i++)
        sweep_plan_find(c->d->plan, c->run[first + i], h->values + i * e->value_count);
    return e->run(e, h->number, count, h->values, c->collected + first * e->collected_count,
                  c->end + first);
}

static void *work(void *of) {
    list_hand *h = of;
    list_crew *c = h->crew;
    pthread_mutex_lock(&c->lock);
    while (!c->ends && c->next < c->count) {
        const uint64_t first = c->next,
                       count = c->count - first < c->each ? c->count - first : c->each;
        c->next += count;
        pthread_mutex_unlock(&c->lock);
        const bool good = run_part(h, first, count);
        pthread_mutex_lock(&c->lock);
        c->done += good ? count : 0;
        if (!good) c->ends = c->broken = true;
    }
    c->working--;
    pthread_cond_signal(&c->changed);
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

static void end_crew(void *of) {
    list_crew *c = of;
    pthread_mutex_lock(&c->lock);
    if (c->working) *c->d->stop = 1;
    c->ends = true;
    pthread_mutex_unlock(&c->lock);
    for (uint32_t i = 0; i < c->hands; i++)
        if (c->hand[i].started) pthread_join(c->hand[i].thread, NULL), c->hand[i].started = false;
    pthread_mutex_destroy(&c->lock), pthread_cond_destroy(&c->changed);
}

static void start(list_crew *c) {
    pthread_mutex_init(&c->lock, NULL), pthread_cond_init(&c->changed, NULL);
    guard_set(&c->open, end_crew, c);
    for (uint32_t i = 0; i < c->hands; i++) {
        list_hand *h = &c->hand[i];
        pthread_mutex_lock(&c->lock);
        c->working++;
        pthread_mutex_unlock(&c->lock);
        h->started = !pthread_create(&h->thread, NULL, work, h);
        if (h->started) continue;
        pthread_mutex_lock(&c->lock);
        c->working--;
        pthread_mutex_unlock(&c->lock);
        return;
    }
}

static driven look(const sweep_list_drive *d) {
    if (budget_flag_is_set(d->interrupted)) return DRIVEN_INTERRUPTED;
    switch (budget_spent()) {
    case RECOVERY_INTERRUPTED: return DRIVEN_INTERRUPTED;
    case RECOVERY_TIME: return DRIVEN_TIME;
    default: return DRIVEN_ALL;
    }
}

// Until the threads are at their end
static driven attend(list_crew *c) {
    enum { PULSE = 50000000, SECOND = 1000000000 };
    driven found = DRIVEN_ALL;
    for (bool over = false; !over;) {
        pthread_mutex_lock(&c->lock);
        if (c->working) {
            struct timespec until;
            clock_gettime(CLOCK_REALTIME, &until);
            until.tv_nsec += PULSE;
            if (until.tv_nsec >= SECOND) until.tv_sec++, until.tv_nsec -= SECOND;
            pthread_cond_timedwait(&c->changed, &c->lock, &until);
        }
        if (!found) found = look(c->d);
        if (found) c->ends = true, *c->d->stop = 1;
        over = !c->working;
        const uint64_t done = c->done;
        pthread_mutex_unlock(&c->lock);
        if (c->d->progress) c->d->progress(done, c->d->data);
    }
    return found ? found : c->broken || c->done < c->count ? DRIVEN_NO_ENGINE : DRIVEN_ALL;
}

driven sweep_drive_list(const sweep_list_drive *d, uint64_t count, const uint64_t *run,
                        double *collected, sweep_end *end) {
    enum { PARTS = 8 }; // of the list for each thread, so that none waits long for another
    const sweep_engine *e = d->engine;
    list_crew c = {.d = d, .run = run, .collected = collected, .end = end, .count = count};
    if (!count) return DRIVEN_ALL;
    c.hands = e->worker_count < count ? e->worker_count : (uint32_t)count;
    c.each = count / ((uint64_t)c.hands * PARTS) + 1;
    if (c.each > e->preferred) c.each = e->preferred;
    c.hand = memory_zeros(list_hand, c.hands);
    for (uint32_t i = 0; i < c.hands; i++)
        c.hand[i] = (list_hand){
            .crew = &c, .number = i, .values = memory_array(double, c.each * e->value_count + 1)};
    budget_hold();
    start(&c);
    const driven found = attend(&c);
    guard_lift(&c.open);
    end_crew(&c);
    budget_release();
    for (uint32_t i = 0; i < c.hands; i++) memory_free(c.hand[i].values);
    memory_free(c.hand);
    return found;
}
