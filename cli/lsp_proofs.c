// Verdicts, by a child process that reads the same texts, says what it finds and ends. It may take
// its time, and whatever becomes of it, the server goes on; when the text changes it is killed.
// Each thing it says is "SIZE\n" and so many bytes: what `check` and `prove` say as JSON.
#include "lsp.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_SAID = 64 << 20 };

void lsp_forget_verdicts(lsp_document *d) {
    for (lsp_verdict *v; (v = d->verdicts);) {
        d->verdicts = v->next;
        free(v->name), free(v->words), free(v);
    }
    d->is_judged = false;
}

const lsp_verdict *lsp_find_verdict(const lsp_document *d, const char *name) {
    const lsp_verdict *v = d->verdicts;
    while (v && strcmp(v->name, name) != 0) v = v->next;
    return v;
}

// --- the child -----------------------------------------------------------------------------------

static void say(int pipe, const char *text) {
    char head[32];
    const size_t size = text ? strlen(text) : 0;
    const int length = snprintf(head, sizeof head, "%zu\n", size);
    bool good = write(pipe, head, (size_t)length) == length;
    for (size_t done = 0; good && done < size;) {
        const ssize_t n = write(pipe, text + done, size - done);
        good = n > 0;
        if (good) done += (size_t)n;
    }
}

static void judge(const lsp_server *s, const lsp_document *d, int pipe) {
    lsp_server own = *s;
    own.limits.time = s->proof_seconds;
    hamel_document *read;
    hamel_status status;
    hamel_context *ctx = lsp_read(&own, d, d->bytes, d->size, NULL, NULL, &read, &status);
    hamel_model *model = hamel_document_model(read);
    char *words = NULL;
    if (!ctx || !model) return;
    const hamel_status checked = hamel_model_check(model, HAMEL_JSON, 0, &words);
    say(pipe, checked ? hamel_diagnostics_json(ctx, checked) : words);
    if (checked) return;
    words = NULL;
    hamel_model_prove(model, "maggi", 0, HAMEL_JSON, &words);
    if (!words) hamel_model_prove(model, "multipliers", 0, HAMEL_JSON, &words);
    if (words) say(pipe, words);
}

static void limit_child(const lsp_server *s) {
    const rlim_t seconds = (rlim_t)(2 * s->proof_seconds) + 2;
    setrlimit(RLIMIT_CPU, &(struct rlimit){seconds, seconds});
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    if (nice(10) < 0) errno = 0; // it may not be allowed
}

void lsp_judge(lsp_server *s, lsp_document *d) {
    int ends[2];
    if (d->is_judged || s->child) return; // one at a time: lsp_judge_waiting() goes on
    if (!hamel_document_model(d->read) || pipe(ends) != 0) {
        d->is_judged = true;
        return;
    }
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        close(STDIN_FILENO); // an editor whose server was killed waits for the ends of both
        close(STDOUT_FILENO);
        limit_child(s);
        judge(s, d, ends[1]);
        _exit(0); // nothing of the parent is flushed or freed
    }
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        d->is_judged = true;
        return;
    }
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    s->child = child, s->pipe = ends[0];
    s->child_uri = lsp_copy(d->uri, strlen(d->uri));
}

void lsp_stop_child(lsp_server *s) {
    if (!s->child) return;
    kill(s->child, SIGKILL);
    while (waitpid(s->child, NULL, 0) < 0 && errno == EINTR) {}
    close(s->pipe);
    free(s->child_uri), free(s->said);
    s->child = 0, s->pipe = -1, s->child_uri = s->said = NULL, s->said_size = 0;
}

// --- what it says --------------------------------------------------------------------------------

static void add_verdict(lsp_document *d, const char *kind, const char *name, const char *words) {
    lsp_verdict *v = lsp_memory(sizeof *v);
    v->name = lsp_memory(strlen(kind) + strlen(name) + 2);
    sprintf(v->name, "%s%s%s", kind, *kind ? " " : "", name);
    v->words = lsp_copy(words, strlen(words));
    v->next = d->verdicts;
    d->verdicts = v;
}

static const char *number_text(const sent_value *v, char *buffer, size_t size) {
    size_t n = 0;
    if (!sent_whole(v, 1000000, &n)) return "?";
    snprintf(buffer, size, "%zu", n);
    return buffer;
}

// "2 degrees of freedom: 3 coordinates, 1 constraint (nonholonomic)"
static void take_check(lsp_document *d, const sent_value *root) {
    size_t constraints = 0, holonomic = 0;
    const sent_value *list = sent_member(root, "constraints");
    for (const sent_value *c = list ? list->first : NULL; c; c = c->next) {
        const sent_value *integrable = sent_member(c, "integrable");
        size_t order = 1;
        constraints++;
        sent_whole(sent_member(c, "order"), 100, &order);
        holonomic += order == 0 || (integrable && integrable->kind == SENT_TRUE);
    }
    char m[16], n[16], words[160];
    const char *free_ones = number_text(sent_member(root, "m"), m, sizeof m),
               *all = number_text(sent_member(root, "n"), n, sizeof n);
    snprintf(words, sizeof words, "%s degree%s of freedom: %s coordinate%s, %zu constraint%s%s",
             free_ones, strcmp(free_ones, "1") == 0 ? "" : "s", all,
             strcmp(all, "1") == 0 ? "" : "s", constraints, constraints == 1 ? "" : "s",
             !constraints               ? ""
             : holonomic == constraints ? " (holonomic)"
             : holonomic                ? " (some nonholonomic)"
                                        : " (nonholonomic)");
    add_verdict(d, "", "system", words);
}

// Why the text is no system that can be classified: the first error
static void take_errors(lsp_document *d, const sent_value *list) {
    for (const sent_value *m = list->first; m; m = m->next) {
        const char *severity = sent_text(sent_member(m, "severity")),
                   *words = sent_text(sent_member(m, "message"));
        if (!words || !severity || strcmp(severity, "error") != 0) continue;
        add_verdict(d, "", "system", words);
        return;
    }
}

// A vector claim has a verdict for each component; the gravest stands for all, and a family's for
// its members: refuted, undecided, proved.
static void take_verdict(lsp_document *d, const sent_value *v) {
    static const char *const by_gravity[] = {"proved", "undecided", "refuted"};
    const char *kind = sent_text(sent_member(v, "kind")), *name = sent_text(sent_member(v, "name")),
               *found = sent_text(sent_member(v, "verdict")),
               *remark = sent_text(sent_member(v, "remark"));
    if (!kind || !name || !found) return;
    char *base = lsp_copy(name, strcspn(name, ".[")),
         *key = lsp_memory(strlen(kind) + strlen(base) + 2);
    sprintf(key, "%s %s", kind, base);
    lsp_verdict *known = (lsp_verdict *)lsp_find_verdict(d, key);
    char *words = lsp_memory(strlen(found) + (remark ? strlen(remark) : 0) + 4);
    sprintf(words, "%s%s%s", found, remark ? ": " : "", remark ? remark : "");
    int now = 0, before = 0;
    for (int i = 0; i < 3; i++) {
        if (strcmp(by_gravity[i], found) == 0) now = i;
        if (known && strncmp(known->words, by_gravity[i], strlen(by_gravity[i])) == 0) before = i;
    }
    if (!known) add_verdict(d, kind, base, words);
    else if (now > before) {
        free(known->words);
        known->words = lsp_copy(words, strlen(words));
    }
    free(words), free(key), free(base);
}

static void take_said(lsp_document *d, const char *bytes, size_t size) {
    sent_tree tree;
    const sent_value *root = sent_read(bytes, size, &tree),
                     *verdicts = sent_member(root, "verdicts"),
                     *errors = sent_member(root, "diagnostics");
    if (verdicts)
        for (const sent_value *v = verdicts->first; v; v = v->next) take_verdict(d, v);
    else if (errors) take_errors(d, errors);
    else if (root) take_check(d, root);
    sent_release(&tree);
}

// Whole things it has said so far
static void take_whole(lsp_server *s, lsp_document *d) {
    for (;;) {
        const char *line = s->said ? memchr(s->said, '\n', s->said_size) : NULL;
        if (!line) return;
        const size_t head = (size_t)(line - s->said) + 1, size = strtoul(s->said, NULL, 10);
        if (s->said_size - head < size) return;
        take_said(d, s->said + head, size);
        s->said_size -= head + size;
        memmove(s->said, s->said + head + size, s->said_size);
    }
}

// A text that cannot be judged is answered for at once, and then the list is another one.
void lsp_judge_waiting(lsp_server *s) {
    for (const lsp_waiting *w = s->waiting; w && !s->child;) {
        lsp_document *d = lsp_find(s, w->uri);
        if (d && !d->is_dirty) lsp_judge(s, d);
        const bool is_known = d && !d->is_dirty && d->is_judged;
        if (is_known) lsp_answer_lenses(s, d->uri);
        w = is_known ? s->waiting : w->next;
    }
}

void lsp_listen(lsp_server *s) {
    static char buffer[1 << 16];
    if (!s->child) return;
    const ssize_t n = read(s->pipe, buffer, sizeof buffer);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
    lsp_document *d = lsp_find(s, s->child_uri);
    if (n > 0 && s->said_size < MOST_SAID) {
        char *more = realloc(s->said, s->said_size + (size_t)n);
        if (!more) exit(HAMEL_LIMIT);
        s->said = more;
        memcpy(s->said + s->said_size, buffer, (size_t)n);
        s->said_size += (size_t)n;
        if (d) take_whole(s, d);
    } else {
        lsp_stop_child(s);
        if (d) d->is_judged = true;
    }
    if (d) lsp_answer_lenses(s, d->uri);
    lsp_judge_waiting(s);
}
