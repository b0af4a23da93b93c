// Threads of a rank: see crew.h.
#include "crew.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

typedef enum { FREE, WAITING, RUNNING, DONE, TAKEN } place_state;

typedef struct {
    place_state state;
    crew_result result;
} place;

typedef struct {
    crew *of;
    unsigned number;
    pthread_t thread;
} hand;

struct crew {
    hamel_sweep_job *job;
    volatile int *stop;
    pthread_mutex_t lock;
    pthread_cond_t added, done;
    unsigned places, hands;
    place *place;
    hand *hand;
    bool ends;
};

// Of the places in this state that with the first chunk, under the lock; NULL: there is none
static place *find(crew *c, place_state state) {
    place *first = NULL;
    for (unsigned i = 0; i < c->places; i++) {
        place *p = &c->place[i];
        if (p->state == state && (!first || p->result.chunk < first->result.chunk)) first = p;
    }
    return first;
}

static void *work(void *data) {
    const hand *h = data;
    crew *c = h->of;
    pthread_mutex_lock(&c->lock);
    while (!c->ends) {
        place *p = find(c, WAITING);
        if (!p) {
            pthread_cond_wait(&c->added, &c->lock);
            continue;
        }
        p->state = RUNNING;
        pthread_mutex_unlock(&c->lock);
        p->result.status = hamel_sweep_compute(c->job, h->number, p->result.chunk, p->result.bytes);
        pthread_mutex_lock(&c->lock);
        p->state = DONE;
        pthread_cond_signal(&c->done);
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

static bool allocate(crew *c, unsigned threads) {
    const size_t bytes = hamel_sweep_chunk_bytes(c->job);
    c->places = CREW_DEPTH * threads + 1; // one may be on its way to another rank
    c->place = calloc(c->places, sizeof *c->place);
    c->hand = calloc(threads, sizeof *c->hand);
    if (!c->place || !c->hand) return false;
    for (unsigned i = 0; i < c->places; i++)
        if (!(c->place[i].result.bytes = malloc(bytes ? bytes : 1))) return false;
    return true;
}

crew *crew_start(hamel_sweep_job *job, unsigned threads, volatile int *stop) {
    crew *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    c->job = job, c->stop = stop;
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->added, NULL);
    pthread_condattr_t by;
    pthread_condattr_init(&by);
    pthread_condattr_setclock(&by, CLOCK_MONOTONIC);
    pthread_cond_init(&c->done, &by);
    pthread_condattr_destroy(&by);
    bool good = allocate(c, threads);
    for (unsigned i = 0; i < threads && good; i++) {
        c->hand[i] = (hand){c, i, 0};
        good = pthread_create(&c->hand[i].thread, NULL, work, &c->hand[i]) == 0;
        c->hands += good;
    }
    if (good) return c;
    crew_stop(c), crew_free(c);
    return NULL;
}

void crew_add(crew *c, unsigned long long chunk) {
    pthread_mutex_lock(&c->lock);
    place *p = find(c, FREE);
    assert(p); // or more were added than were asked for
    p->state = WAITING, p->result.chunk = chunk;
    pthread_cond_signal(&c->added);
    pthread_mutex_unlock(&c->lock);
}

static struct timespec moment_in(double seconds) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_nsec += (long)(1e9 * seconds);
    t.tv_sec += t.tv_nsec / 1000000000, t.tv_nsec %= 1000000000;
    return t;
}

bool crew_take(crew *c, double seconds, crew_result *out) {
    const struct timespec end = moment_in(seconds);
    pthread_mutex_lock(&c->lock);
    place *p = find(c, DONE);
    while (!p && pthread_cond_timedwait(&c->done, &c->lock, &end) == 0) p = find(c, DONE);
    if (p) p->state = TAKEN, *out = p->result;
    pthread_mutex_unlock(&c->lock);
    return p != NULL;
}

void crew_give_back(crew *c, void *bytes) {
    pthread_mutex_lock(&c->lock);
    for (unsigned i = 0; i < c->places; i++)
        if (c->place[i].result.bytes == bytes) c->place[i].state = FREE;
    pthread_mutex_unlock(&c->lock);
}

void crew_stop(crew *c) {
    pthread_mutex_lock(&c->lock);
    c->ends = true, *c->stop = 1;
    pthread_cond_broadcast(&c->added);
    pthread_mutex_unlock(&c->lock);
    for (unsigned i = 0; i < c->hands; i++) pthread_join(c->hand[i].thread, NULL);
    c->hands = 0;
}

void crew_free(crew *c) {
    for (unsigned i = 0; i < c->places && c->place; i++) free(c->place[i].result.bytes);
    free(c->place), free(c->hand);
    pthread_cond_destroy(&c->added), pthread_cond_destroy(&c->done);
    pthread_mutex_destroy(&c->lock);
    free(c);
}
