// The server: which message is answered by what, and in which order.
#include "lsp.h"

#include <stdlib.h>
#include <string.h>

// --- the life of a server ------------------------------------------------------------------------

static void initialize(lsp_server *s, const sent_value *id, const sent_value *params) {
    size_t client = 0;
    if (sent_whole(sent_member(params, "processId"), 0x7FFFFFFF, &client)) s->client = (long)client;
    s->is_initialized = true;
    lsp_out o;
    FILE *out = lsp_open_result(&o, id);
    fputs("{\"capabilities\":{\"positionEncoding\":\"utf-16\","
          "\"textDocumentSync\":{\"openClose\":true,\"change\":2,\"save\":true},"
          "\"hoverProvider\":true,\"definitionProvider\":true,\"referencesProvider\":true,"
          "\"documentHighlightProvider\":true,\"documentSymbolProvider\":true,"
          "\"documentFormattingProvider\":true,"
          "\"documentLinkProvider\":{},\"renameProvider\":{\"prepareProvider\":true},"
          "\"completionProvider\":{\"triggerCharacters\":[\"[\",\"(\",\".\",\"=\",\" \"]},"
          "\"codeLensProvider\":{\"resolveProvider\":true},"
          "\"semanticTokensProvider\":{\"full\":true,\"legend\":{\"tokenTypes\":",
          out);
    fputs(lsp_token_types, out);
    fputs(",\"tokenModifiers\":[\"declaration\"]}}},"
          "\"serverInfo\":{\"name\":\"hamel\",\"version\":\"" HAMEL_VERSION "\"}}",
          out);
    lsp_close(s, &o);
}

static void shut_down(lsp_server *s, const sent_value *id, const sent_value *params) {
    (void)params;
    s->is_shut_down = true;
    lsp_answer_null(s, id);
}

static void files_changed(lsp_server *s, const sent_value *params) {
    (void)params;
    lsp_touch_all(s);
}

static void do_exit(lsp_server *s, const sent_value *params) {
    (void)params;
    s->has_exited = true;
}

static void nothing(lsp_server *s, const sent_value *params) {
    (void)s;
    (void)params;
}

static const struct {
    const char *method;
    lsp_feature *answer;
} requests[] = {
    {"shutdown", shut_down},
    {"textDocument/hover", lsp_hover},
    {"textDocument/definition", lsp_definition},
    {"textDocument/references", lsp_references},
    {"textDocument/documentHighlight", lsp_highlight},
    {"textDocument/completion", lsp_completion},
    {"textDocument/documentSymbol", lsp_symbols},
    {"textDocument/documentLink", lsp_links},
    {"textDocument/semanticTokens/full", lsp_tokens},
    {"textDocument/prepareRename", lsp_prepare_rename},
    {"textDocument/rename", lsp_rename},
    {"textDocument/formatting", lsp_format},
    {"textDocument/codeLens", lsp_lenses},
    {"codeLens/resolve", lsp_resolve_lens},
};

static const struct {
    const char *method;
    void (*heed)(lsp_server *s, const sent_value *params);
} notifications[] = {
    {"exit", do_exit},
    {"initialized", nothing},
    {"textDocument/didOpen", lsp_did_open},
    {"textDocument/didChange", lsp_did_change},
    {"textDocument/didClose", lsp_did_close},
    {"textDocument/didSave", nothing},
    {"workspace/didChangeWatchedFiles", files_changed},
};

#define COUNT(list) (sizeof(list) / sizeof *(list))

// --- one message ---------------------------------------------------------------------------------

static void answer(lsp_server *s, const char *method, const sent_value *id,
                   const sent_value *params) {
    if (strcmp(method, "initialize") == 0) {
        if (s->is_initialized)
            lsp_refuse(s, id, LSP_INVALID_REQUEST, "the server is initialized already");
        else initialize(s, id, params);
        return;
    }
    if (!s->is_initialized) {
        lsp_refuse(s, id, LSP_NOT_INITIALIZED, "expected `initialize` first");
        return;
    }
    if (s->is_shut_down) {
        lsp_refuse(s, id, LSP_INVALID_REQUEST, "the server was shut down");
        return;
    }
    for (size_t i = 0; i < COUNT(requests); i++) {
        if (strcmp(requests[i].method, method) != 0) continue;
        requests[i].answer(s, id, params);
        return;
    }
    lsp_refuse(s, id, LSP_UNKNOWN_METHOD, "there is no such method");
}

static void heed(lsp_server *s, const char *method, const sent_value *params) {
    for (size_t i = 0; i < COUNT(notifications); i++) {
        if (strcmp(notifications[i].method, method) != 0) continue;
        const bool is_exit = notifications[i].heed == do_exit;
        if (is_exit || (s->is_initialized && !s->is_shut_down)) notifications[i].heed(s, params);
        return;
    }
}

static bool is_id(const sent_value *id) {
    return id && (id->kind == SENT_NUMBER || id->kind == SENT_STRING);
}

static void treat(lsp_server *s, const lsp_message *m) {
    const sent_value *id = sent_member(m->root, "id"), *params = sent_member(m->root, "params");
    const char *method = sent_text(sent_member(m->root, "method"));
    if (!m->root) {
        lsp_refuse(s, NULL, LSP_PARSE_ERROR, "the message is no JSON");
    } else if (!method) {
        const bool is_answer = sent_member(m->root, "result") || sent_member(m->root, "error");
        if (!is_answer || !id)
            lsp_refuse(s, is_id(id) ? id : NULL, LSP_INVALID_REQUEST, "expected a method");
    } else if (!id) {
        heed(s, method, params);
    } else if (!is_id(id)) {
        lsp_refuse(s, NULL, LSP_INVALID_REQUEST, "an id is a number or a string");
    } else if (m->is_cancelled) {
        lsp_refuse(s, id, LSP_CANCELLED, "cancelled");
    } else {
        answer(s, method, id, params);
    }
}

// --- cancelling ----------------------------------------------------------------------------------

static bool same_id(const sent_value *a, const sent_value *b) {
    return is_id(a) && is_id(b) && a->raw_length == b->raw_length &&
           memcmp(a->raw, b->raw, a->raw_length) == 0;
}

static void cancel_waiting(lsp_server *s, const sent_value *id) {
    for (lsp_waiting **at = &s->waiting; *at;) {
        lsp_waiting *w = *at;
        if (strlen(w->id) != id->raw_length || memcmp(w->id, id->raw, id->raw_length) != 0) {
            at = &w->next;
            continue;
        }
        *at = w->next;
        lsp_refuse(s, id, LSP_CANCELLED, "cancelled");
        free(w->id), free(w->lens), free(w->uri), free(w->name), free(w);
    }
}

// A request that still waits for its turn is not begun; one that waits for a proof is given up.
static bool cancels(lsp_server *s, const lsp_message *m) {
    const char *method = sent_text(sent_member(m->root, "method"));
    const bool is_request = sent_member(m->root, "id"); // which is answered as any other
    if (!method || is_request || strcmp(method, "$/cancelRequest") != 0) return false;
    const sent_value *id = sent_at(m->root, "params", "id", NULL);
    for (lsp_message *other = s->first; other; other = other->next)
        if (same_id(sent_member(other->root, "id"), id) && sent_member(other->root, "method"))
            other->is_cancelled = true;
    if (is_id(id)) cancel_waiting(s, id);
    return true;
}

// --- the loop of whoever has the bytes -----------------------------------------------------------

void lsp_start(lsp_server *s) { s->pipe = -1; }

void lsp_take(lsp_server *s, const char *bytes, size_t size) {
    lsp_wire_take(s, bytes, size);
    for (lsp_message *m; (m = lsp_wire_next(s));) {
        if (cancels(s, m)) {
            lsp_message_free(m);
            continue;
        }
        if (s->last) s->last->next = m;
        else s->first = m;
        s->last = m;
    }
}

static bool has_dirty(const lsp_server *s) {
    const lsp_document *d = s->documents;
    while (d && !d->is_dirty) d = d->next;
    return d;
}

bool lsp_has_work(const lsp_server *s) { return !s->has_exited && (s->first || has_dirty(s)); }

void lsp_work(lsp_server *s) {
    lsp_message *m = s->has_exited ? NULL : s->first;
    if (m) {
        s->first = m->next;
        if (!s->first) s->last = NULL;
        treat(s, m);
        lsp_message_free(m);
    } else if (!s->has_exited) {
        lsp_refresh(s);
    }
}

void lsp_end(lsp_server *s) {
    s->has_exited = true;
    lsp_stop_child(s);
    while (s->waiting) {
        lsp_waiting *w = s->waiting;
        s->waiting = w->next;
        free(w->id), free(w->lens), free(w->uri), free(w->name), free(w);
    }
    while (s->documents) lsp_forget_document(s, s->documents);
    for (lsp_message *m; (m = s->first);) {
        s->first = m->next;
        lsp_message_free(m);
    }
    for (lsp_shown *v; (v = s->shown);) {
        s->shown = v->next;
        free(v->path), free(v->json), free(v);
    }
    free(s->input);
}
