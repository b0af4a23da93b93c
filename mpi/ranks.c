// Chunks to the ranks and back: see ranks.h.
//
// Rank 0 to others, 8 bytes:  the number of a chunk; NO_CHUNK: there are no more, end
// Others to rank 0:           number of a chunk, status, its bytes; NO_CHUNK: this rank has ended
// Each rank has CREW_DEPTH chunks a thread at a time and gets another one for each that it sends,
// so that none waits for rank 0. MPI waits by asking again and again, which would take the
// processor from the runs: here it is asked when something came from the own threads, and else now
// and then.
#include "ranks.h"

#include "crew.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TAG = 1, HEAD = 2 * sizeof(unsigned long long) };
static const unsigned long long NO_CHUNK = ~0ull;
static const double SHORT_WAIT = 1e-4, LONG_WAIT = 2e-3; // seconds

// --- rank 0 --------------------------------------------------------------------------------------

typedef struct {
    const ranks_work *w;
    crew *crew;
    int size;
    unsigned char *message;
    size_t message_bytes;
    unsigned long long next, chunks;
    unsigned long long *out; // of each rank: chunks that it has
    int ended;               // ranks
    ranks_outcome outcome;
    int broken;
} leader;

static bool next_chunk(leader *l, unsigned long long *chunk) {
    while (l->next < l->chunks && hamel_sweep_has(l->w->job, l->next)) l->next++;
    if (l->outcome || l->next == l->chunks) return false;
    *chunk = l->next++;
    return true;
}

static void send_number(int rank, unsigned long long number) {
    MPI_Send(&number, 1, MPI_UNSIGNED_LONG_LONG, rank, TAG, MPI_COMM_WORLD);
}

// One more chunk to a rank, if there is one
static void hand_out(leader *l, int rank) {
    unsigned long long chunk;
    if (!next_chunk(l, &chunk)) return;
    l->out[rank]++;
    if (rank) send_number(rank, chunk);
    else crew_add(l->crew, chunk);
}

static void take(leader *l, int rank, unsigned long long chunk, hamel_status status,
                 const void *bytes) {
    l->out[rank]--;
    if (!status && hamel_sweep_put(l->w->job, chunk, bytes) && !l->outcome)
        l->outcome = RANKS_NOT_KEPT;
    if (status && !l->outcome) l->outcome = RANKS_BROKEN, l->broken = rank;
    hand_out(l, rank);
}

static bool take_own(leader *l, double seconds) {
    crew_result r;
    if (!crew_take(l->crew, seconds, &r)) return false;
    take(l, 0, r.chunk, r.status, r.bytes);
    crew_give_back(l->crew, r.bytes);
    return true;
}

static bool take_others(leader *l) {
    int there = 0;
    MPI_Status from;
    MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &there, &from);
    if (!there) return false;
    MPI_Recv(l->message, (int)l->message_bytes, MPI_BYTE, from.MPI_SOURCE, TAG, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    unsigned long long head[2];
    memcpy(head, l->message, HEAD);
    if (head[0] == NO_CHUNK) l->ended++;
    else take(l, from.MPI_SOURCE, head[0], (hamel_status)head[1], l->message + HEAD);
    return true;
}

static unsigned long long under_way(const leader *l) {
    unsigned long long all = 0;
    for (int i = 0; i < l->size; i++) all += l->out[i];
    return all;
}

// One turn: what there is, else a moment's rest
static void attend(leader *l, double *wait) {
    bool came = take_own(l, *wait);
    while (take_others(l)) came = true;
    *wait = came ? SHORT_WAIT : *wait < LONG_WAIT ? 2 * *wait : LONG_WAIT;
    if (*l->w->interrupted && !l->outcome) l->outcome = RANKS_INTERRUPTED;
    if (MPI_Wtime() > l->w->end && !l->outcome) l->outcome = RANKS_LATE;
}

ranks_outcome ranks_lead(const ranks_work *w, int *broken) {
    leader l = {.w = w, .chunks = hamel_sweep_count(w->job, HAMEL_SWEEP_CHUNKS)};
    MPI_Comm_size(MPI_COMM_WORLD, &l.size);
    unsigned *threads = malloc(sizeof *threads * (size_t)l.size);
    l.message_bytes = HEAD + hamel_sweep_chunk_bytes(w->job);
    l.message = malloc(l.message_bytes), l.out = calloc((size_t)l.size, sizeof *l.out);
    l.crew = crew_start(w->job, w->threads, w->stop);
    if (!threads || !l.message || !l.out || !l.crew) MPI_Abort(MPI_COMM_WORLD, HAMEL_LIMIT);
    MPI_Gather(&w->threads, 1, MPI_UNSIGNED, threads, 1, MPI_UNSIGNED, 0, MPI_COMM_WORLD);
    for (unsigned i = 0, more = 1; more; i++) {
        more = 0;
        for (int rank = 0; rank < l.size; rank++)
            if (i < CREW_DEPTH * threads[rank]) hand_out(&l, rank), more = 1;
    }
    double wait = SHORT_WAIT;
    while (!l.outcome && under_way(&l)) attend(&l, &wait);
    for (int rank = 1; rank < l.size; rank++) send_number(rank, NO_CHUNK);
    crew_stop(l.crew);
    while (l.ended < l.size - 1) attend(&l, &wait); // what is finished is kept
    while (take_own(&l, 0)) continue;
    crew_free(l.crew);
    free(threads), free(l.message), free(l.out);
    *broken = l.broken;
    return l.outcome;
}

// --- the others ----------------------------------------------------------------------------------

// A chunk on its way to rank 0
typedef struct {
    bool is_under_way;
    MPI_Request request;
    unsigned char *bytes;
} parcel;

static bool has_left(parcel *p, bool wait) {
    int done = 1;
    if (p->is_under_way && wait) MPI_Wait(&p->request, MPI_STATUS_IGNORE);
    else if (p->is_under_way) MPI_Test(&p->request, &done, MPI_STATUS_IGNORE);
    p->is_under_way = !done;
    return done;
}

static void send_result(parcel *p, const crew_result *r, size_t bytes) {
    const unsigned long long head[2] = {r->chunk, (unsigned long long)r->status};
    memcpy(p->bytes, head, HEAD);
    memcpy(p->bytes + HEAD, r->bytes, bytes);
    MPI_Isend(p->bytes, (int)(HEAD + bytes), MPI_BYTE, 0, TAG, MPI_COMM_WORLD, &p->request);
    p->is_under_way = true;
}

// What rank 0 says, if it does: false when that is the end
static bool listen_to(crew *c, bool *came) {
    int there = 1;
    for (MPI_Status from;;) {
        unsigned long long chunk;
        MPI_Iprobe(0, TAG, MPI_COMM_WORLD, &there, &from);
        if (!there) return true;
        MPI_Recv(&chunk, 1, MPI_UNSIGNED_LONG_LONG, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (chunk == NO_CHUNK) return false;
        crew_add(c, chunk);
        *came = true;
    }
}

void ranks_follow(const ranks_work *w) {
    const size_t bytes = hamel_sweep_chunk_bytes(w->job);
    parcel p = {.bytes = malloc(HEAD + bytes)};
    crew *c = crew_start(w->job, w->threads, w->stop);
    if (!c || !p.bytes) MPI_Abort(MPI_COMM_WORLD, HAMEL_LIMIT);
    MPI_Gather(&w->threads, 1, MPI_UNSIGNED, NULL, 0, MPI_UNSIGNED, 0, MPI_COMM_WORLD);
    double wait = SHORT_WAIT;
    for (bool came = false; listen_to(c, &came); came = false) {
        crew_result r;
        if (!has_left(&p, false)) {
            nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * SHORT_WAIT)}, NULL);
        } else if (crew_take(c, wait, &r)) {
            send_result(&p, &r, bytes);
            crew_give_back(c, r.bytes);
            came = true;
        }
        wait = came ? SHORT_WAIT : wait < LONG_WAIT ? 2 * wait : LONG_WAIT;
    }
    crew_stop(c);
    has_left(&p, true);
    crew_free(c);
    const unsigned long long end[2] = {NO_CHUNK, 0};
    MPI_Send(end, HEAD, MPI_BYTE, 0, TAG, MPI_COMM_WORLD);
    free(p.bytes);
}
