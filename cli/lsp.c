// hamel lsp: a language server on standard input and output.
#include "lsp.h"

#include "command.h"
#include "session.h"
#include "shared_options.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

static const option stdio = {.name = "--stdio",
                             .help = "standard input and output, as always; editors say it"};

static const double READING_SECONDS = 5, PROVING_SECONDS = 20;
static const unsigned long long READING_BYTES = 1ull << 30;
enum { CLIENT_LOOKED_AT = 5000 }; // milliseconds

typedef struct {
    bool failed; // the editor does not listen any more
} output;

static void send_bytes(const char *bytes, size_t size, void *data) {
    output *to = data;
    while (size && !to->failed) {
        const ssize_t n = write(STDOUT_FILENO, bytes, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) to->failed = true;
        else bytes += n, size -= (size_t)n;
    }
}

// Bytes of the editor, or of the child that proves; waits only if nothing else is to be done. False
// where there is nobody at the other end.
static bool listen_once(lsp_server *s) {
    static char buffer[1 << 16];
    struct pollfd from[2] = {{STDIN_FILENO, POLLIN, 0}, {s->pipe, POLLIN, 0}};
    const int ready = poll(from, s->child ? 2 : 1, lsp_has_work(s) ? 0 : CLIENT_LOOKED_AT);
    if (ready < 0) return errno == EINTR;
    if (!ready && !lsp_has_work(s) && s->client && kill((pid_t)s->client, 0) < 0)
        return errno != ESRCH;
    if (s->child && from[1].revents) lsp_listen(s);
    if (!from[0].revents) return true;
    const ssize_t n = read(STDIN_FILENO, buffer, sizeof buffer);
    if (n < 0) return errno == EINTR || errno == EAGAIN;
    lsp_take(s, buffer, (size_t)n);
    return n > 0;
}

static int run(const arguments *a) {
    output to = {false};
    lsp_server s = {.send = send_bytes, .data = &to, .limits = given_limits(a, &option_limit)};
    s.proof_seconds = s.limits.time > 0 ? s.limits.time : PROVING_SECONDS;
    if (!(s.limits.time > 0)) s.limits.time = READING_SECONDS;
    if (!s.limits.memory) s.limits.memory = READING_BYTES;
    hamel_context *trial = session_context(a); // limits that are none are refused before anything
    hamel_context_destroy(trial);
    signal(SIGPIPE, SIG_IGN);
    lsp_start(&s);
    bool listens = true;
    while (!s.has_exited && !to.failed && (listens || lsp_has_work(&s))) {
        if (listens) listens = listen_once(&s);
        if (lsp_has_work(&s)) lsp_work(&s);
    }
    const bool in_order = s.is_shut_down;
    lsp_end(&s);
    return in_order ? HAMEL_OK : HAMEL_USAGE;
}

const command command_lsp = {
    .name = "lsp",
    .purpose = "a language server for editors, on standard input and output",
    .description =
        "Speaks version 3.17 of the language server protocol: errors while you type, what a name "
        "means, where it is declared and used, completion, new names, an outline, and above claims "
        "and invariants what `prove` says of them. Editors start it; docs/editors.md says how.\n"
        "What --limit allows holds for one reading of one text (time=5,memory=1G unless it is "
        "given), and its "
        "time for the proofs of one text (20 seconds unless it is given), which wait for nobody "
        "and keep nobody waiting.\n"
        "The status is 0 after `shutdown`, 1 where the editor goes away without it.",
    .options = (const option *const[]){&stdio, &option_limit, NULL},
    .run = run,
};
