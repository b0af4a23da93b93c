// Threads, chunks and the store.
#include "sweep/drive.h"

#include "base/budget.h"
#include "base/clock.h"
#include "base/recovery.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

// One chunk in the hands of a worker: two for each, so that it need not wait for the store
typedef enum { SLOT_FREE, SLOT_RUNNING, SLOT_FULL } slot_state;
typedef struct {
    slot_state state;
    uint64_t chunk;
    double *values, *collected;
    sweep_end *end;
} slot;

typedef struct {
    struct crew *crew;
    uint32_t number;
    pthread_t thread;
    bool started;
    slot slot[2];
} hand;

typedef struct crew {
    const sweep_drive *d;
    guard open; // what the call is left by ends the threads first
    pthread_mutex_t lock;
    pthread_cond_t full, free;
    uint64_t next, chunks; // the next chunk to hand out
    bool *had;             // those that are finished already
    bool ends, broken;
    uint32_t hands, working;
    hand *hand;
} crew;

// --- in the threads ------------------------------------------------------------------------------

// The next chunk that is not finished, under the lock; false: there is none
static bool take_chunk(crew *c, uint64_t *out) {
    while (c->next < c->chunks && c->had[c->next]) c->next++;
    if (c->next == c->chunks) return false;
    *out = c->next++;
    return true;
}

// A free slot, waited for under the lock; NULL: the work is at its end
static slot *take_slot(hand *h) {
    crew *c = h->crew;
    while (!c->ends) {
        for (int i = 0; i < 2; i++)
            if (h->slot[i].state == SLOT_FREE)
                return take_chunk(c, &h->slot[i].chunk) ? &h->slot[i] : NULL;
        pthread_cond_wait(&c->free, &c->lock);
    }
    return NULL;
}

static bool run_slot(const hand *h, slot *s) {
    const sweep_drive *d = h->crew->d;
    const uint64_t first = sweep_store_first(d->store, s->chunk),
                   count = sweep_store_count(d->store, s->chunk);
    const uint32_t each = d->engine->value_count;
    for (uint64_t i = 0; i < count; i++) sweep_plan_find(d->plan, first + i, s->values + i * each);
    return d->engine->run(d->engine, h->number, count, s->values, s->collected, s->end);
}

static void *work(void *of) {
    hand *h = of;
    crew *c = h->crew;
    pthread_mutex_lock(&c->lock);
    for (slot *s; (s = take_slot(h));) {
        s->state = SLOT_RUNNING;
        pthread_mutex_unlock(&c->lock);
        const bool good = run_slot(h, s);
        pthread_mutex_lock(&c->lock);
        s->state = good ? SLOT_FULL : SLOT_FREE;
        if (!good) c->ends = c->broken = true;
        pthread_cond_signal(&c->full);
    }
    c->working--;
    pthread_cond_signal(&c->full);
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

// --- beginning and end ---------------------------------------------------------------------------

static void end_crew(void *of) {
    crew *c = of;
    pthread_mutex_lock(&c->lock);
    c->ends = true;
    *c->d->stop = 1;
    pthread_cond_broadcast(&c->free);
    pthread_mutex_unlock(&c->lock);
    for (uint32_t i = 0; i < c->hands; i++)
        if (c->hand[i].started) pthread_join(c->hand[i].thread, NULL), c->hand[i].started = false;
    pthread_mutex_destroy(&c->lock);
    pthread_cond_destroy(&c->full), pthread_cond_destroy(&c->free);
}

static void allocate(crew *c, uint64_t runs) {
    const sweep_engine *e = c->d->engine;
    c->hand = memory_zeros(hand, c->hands);
    c->had = memory_array(bool, c->chunks);
    for (uint64_t i = 0; i < c->chunks; i++) c->had[i] = sweep_store_has(c->d->store, i);
    for (uint32_t i = 0; i < c->hands; i++) {
        c->hand[i].crew = c, c->hand[i].number = i;
        for (int k = 0; k < 2; k++) {
            slot *s = &c->hand[i].slot[k];
            s->values = memory_array(double, runs *(e->value_count + e->collected_count) + 1);
            s->collected = s->values + runs * e->value_count;
            s->end = memory_zeros(sweep_end, runs);
        }
    }
}

static void free_crew(crew *c) {
    for (uint32_t i = 0; i < c->hands; i++)
        for (int k = 0; k < 2; k++)
            memory_free(c->hand[i].slot[k].values), memory_free(c->hand[i].slot[k].end);
    memory_free(c->hand), memory_free(c->had);
}

// False: not a single thread could be started.
static bool start(crew *c) {
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->full, NULL), pthread_cond_init(&c->free, NULL);
    guard_set(&c->open, end_crew, c);
    for (uint32_t i = 0; i < c->hands; i++) {
        pthread_mutex_lock(&c->lock);
        c->working++;
        pthread_mutex_unlock(&c->lock);
        c->hand[i].started = !pthread_create(&c->hand[i].thread, NULL, work, &c->hand[i]);
        if (c->hand[i].started) continue;
        pthread_mutex_lock(&c->lock);
        c->working--;
        pthread_mutex_unlock(&c->lock);
        return i > 0;
    }
    return true;
}

// --- in the thread of the caller -----------------------------------------------------------------

typedef struct {
    double begun, told;
    uint64_t before; // runs that were done when it began
} pulse;

static void count_chunk(const sweep_drive *d, const slot *s, sweep_progress *p) {
    const uint64_t count = sweep_store_count(d->store, s->chunk);
    p->done += count;
    for (uint64_t i = 0; i < count; i++) p->failed += s->end[i].outcome > SWEEP_STOPPED;
}

static driven keep(const sweep_drive *d, const slot *s, sweep_progress *p, text *why) {
    if (!sweep_store_put(d->store, s->chunk, s->collected, s->end, why)) return DRIVEN_NO_FILE;
    count_chunk(d, s, p);
    const sweep_chunk told = {.first = sweep_store_first(d->store, s->chunk),
                              .count = sweep_store_count(d->store, s->chunk),
                              .values = s->values,
                              .collected = s->collected,
                              .end = s->end};
    return d->told && !d->told(&told, d->data) ? DRIVEN_INTERRUPTED : DRIVEN_ALL;
}

static void tell(const sweep_drive *d, pulse *u, sweep_progress *p) {
    static const double EACH = 0.05;
    const double now = clock_seconds();
    if (now - u->told < EACH) return;
    u->told = now;
    p->rate = (double)(p->done - u->before) / (now - u->begun);
    p->remaining = p->rate > 0 ? (double)(p->runs - p->done) / p->rate : NAN;
    if (d->progress) d->progress(p, d->data);
}

static driven look(const sweep_drive *d) {
    if (budget_flag_is_set(d->interrupted)) return DRIVEN_INTERRUPTED;
    switch (budget_spent()) {
    case RECOVERY_INTERRUPTED: return DRIVEN_INTERRUPTED;
    case RECOVERY_TIME: return DRIVEN_TIME;
    default: return DRIVEN_ALL;
    }
}

// Under the lock: a slot that is full; NULL after a while without one
static slot *find_full(crew *c) {
    for (int turn = 0; turn < 2; turn++) {
        for (uint32_t i = 0; i < c->hands; i++)
            for (int k = 0; k < 2; k++)
                if (c->hand[i].slot[k].state == SLOT_FULL) return &c->hand[i].slot[k];
        if (turn || !c->working) return NULL;
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 50000000;
        if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
        pthread_cond_timedwait(&c->full, &c->lock, &until);
    }
    return NULL;
}

// Takes chunks as they come until there are no more, or something ends the sweep.
static driven attend(crew *c, sweep_progress *p, text *why) {
    pulse u = {.begun = clock_seconds(), .before = p->done};
    driven found = DRIVEN_ALL;
    for (;;) {
        pthread_mutex_lock(&c->lock);
        slot *s = find_full(c);
        const bool over = !s && !c->working, broken = c->broken;
        pthread_mutex_unlock(&c->lock);
        if (s) {
            const driven kept = keep(c->d, s, p, why);
            if (kept && !found) found = kept;
            pthread_mutex_lock(&c->lock);
            s->state = SLOT_FREE;
            pthread_cond_broadcast(&c->free);
            pthread_mutex_unlock(&c->lock);
        }
        if (!found) found = look(c->d);
        if (broken && !found) found = DRIVEN_NO_ENGINE;
        if (over) return found;
        if (found) {
            pthread_mutex_lock(&c->lock);
            c->ends = true, *c->d->stop = 1;
            pthread_cond_broadcast(&c->free);
            pthread_mutex_unlock(&c->lock);
        }
        tell(c->d, &u, p);
    }
}

driven sweep_drive_run(const sweep_drive *d, sweep_progress *out, text *why) {
    crew c = {.d = d, .chunks = sweep_store_chunks(d->store)};
    *out = (sweep_progress){
        .runs = sweep_plan_runs(d->plan), .done = sweep_store_runs(d->store), .remaining = NAN};
    if (!c.chunks) return DRIVEN_ALL;
    c.hands = d->engine->worker_count;
    if (c.hands > c.chunks) c.hands = (uint32_t)c.chunks;
    allocate(&c, sweep_store_count(d->store, 0));
    budget_hold();
    const bool started = start(&c);
    const driven found = started ? attend(&c, out, why) : DRIVEN_NO_ENGINE;
    guard_lift(&c.open);
    end_crew(&c);
    budget_release();
    free_crew(&c);
    return found;
}
