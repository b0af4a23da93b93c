// The language server, as its files share it. Messages come in as bytes (lsp_take), in pieces of
// any size, and go out through one function; lsp_work() does what waits while nothing comes in:
// requests in their order, then texts that were edited. Proofs run in a child process
// (lsp_proofs.c), so that editing never waits for one. What is true of a text is asked from the
// library (hamel_editor.h): each version of each text has a context of its own, with limits.
#ifndef HAMEL_CLI_LSP_H
#define HAMEL_CLI_LSP_H

#include "hamel.h"
#include "lsp_text.h"

#include <sys/types.h>

enum { // errors of the protocol
    LSP_PARSE_ERROR = -32700,
    LSP_INVALID_REQUEST = -32600,
    LSP_UNKNOWN_METHOD = -32601,
    LSP_INVALID_PARAMS = -32602,
    LSP_NOT_INITIALIZED = -32002,
    LSP_REQUEST_FAILED = -32803,
    LSP_CONTENT_MODIFIED = -32801,
    LSP_CANCELLED = -32800
};

typedef struct lsp_verdict { // of a claim, or an invariant; "system": what the system is, in words
    char *name, *words;
    struct lsp_verdict *next;
} lsp_verdict;

typedef struct lsp_document { // that is open in the editor
    char *uri, *path;
    char *bytes;
    size_t size;
    lsp_lines lines;
    bool is_dirty; // changed since it was read
    hamel_context *ctx;
    hamel_document *read; // NULL: it could not be
    hamel_status status;  // .. of reading
    // of this version: what a child has found out, and whether all of it is there
    lsp_verdict *verdicts;
    bool is_judged;
    struct lsp_document *next;
} lsp_document;

typedef struct lsp_shown { // a file with diagnostics in the editor
    char *path, *json;
    bool is_current;
    struct lsp_shown *next;
} lsp_shown;

typedef struct lsp_message { // that waits
    char *bytes;
    sent_tree tree;
    const sent_value *root;
    bool is_cancelled;
    struct lsp_message *next;
} lsp_message;

typedef struct lsp_waiting {      // a code lens to be filled in once its verdict is there
    char *id, *lens, *uri, *name; // id and lens as they are to be sent
    struct lsp_waiting *next;
} lsp_waiting;

typedef struct lsp_server {
    void (*send)(const char *bytes, size_t size, void *data);
    void *data;
    hamel_limits limits; // of reading one text
    double proof_seconds;
    bool is_initialized, is_shut_down, has_exited;
    long client; // its process; 0: unknown
    // bytes of a message under way, and how many of one that is too large are to be skipped
    char *input;
    size_t input_size, input_room, skip;
    lsp_message *first, *last;
    lsp_document *documents;
    lsp_shown *shown;
    // the child that proves: of which document, and what it has said so far
    pid_t child;
    int pipe;
    char *child_uri, *said;
    size_t said_size;
    lsp_waiting *waiting;
} lsp_server;

// --- lsp_server.c --------------------------------------------------------------------------------

void lsp_start(lsp_server *s);
void lsp_take(lsp_server *s, const char *bytes, size_t size);
bool lsp_has_work(const lsp_server *s);
void lsp_work(lsp_server *s);
void lsp_end(lsp_server *s);

// --- lsp_wire.c: messages ------------------------------------------------------------------------

void lsp_wire_take(lsp_server *s, const char *bytes, size_t size);
lsp_message *lsp_wire_next(lsp_server *s); // NULL: none is complete; the caller's
void lsp_message_free(lsp_message *m);
// A message is written to the file that open gives, from "{" to "}" without the first member
// "jsonrpc", and goes out with close.
typedef struct {
    FILE *out;
    char *bytes;
    size_t size;
} lsp_out;
FILE *lsp_open(lsp_out *o);
void lsp_close(lsp_server *s, lsp_out *o);
FILE *lsp_open_result(lsp_out *o, const sent_value *id); // up to `"result":`; lsp_close() ends it
void lsp_answer_null(lsp_server *s, const sent_value *id);
void lsp_refuse(lsp_server *s, const sent_value *id, int code, const char *words);

// --- lsp_documents.c -----------------------------------------------------------------------------

lsp_document *lsp_find(const lsp_server *s, const char *uri);
lsp_document *lsp_find_path(const lsp_server *s, const char *path);
void lsp_did_open(lsp_server *s, const sent_value *params);
void lsp_did_change(lsp_server *s, const sent_value *params);
void lsp_did_close(lsp_server *s, const sent_value *params);
void lsp_touch_all(lsp_server *s); // files have changed on the disk
void lsp_forget_document(lsp_server *s, lsp_document *d);
void lsp_refresh(lsp_server *s); // reads what was changed, and shows what is wrong
// Another text in the place of some files, for a question "what if": NULL: the editor's
typedef const char *(*lsp_texts)(const char *path, size_t *size, void *data);
hamel_context *lsp_read(const lsp_server *s, const lsp_document *d, const char *bytes, size_t size,
                        lsp_texts texts, void *data, hamel_document **out, hamel_status *status);

// --- where a request points to -------------------------------------------------------------------

typedef struct {
    lsp_document *document; // in which the editor is
    lsp_document *root;     // whose reading tells of it: its own, or of one that includes it
    size_t offset;
} lsp_cursor;
// False where there is no such document or place; everything is read by then.
bool lsp_cursor_of(lsp_server *s, const sent_value *params, lsp_cursor *out);
lsp_document *lsp_root_of(const lsp_server *s, lsp_document *d);

// --- features: each answers one request ----------------------------------------------------------

typedef void lsp_feature(lsp_server *s, const sent_value *id, const sent_value *params);
// lsp_names.c
lsp_feature lsp_definition, lsp_references, lsp_highlight;
// lsp_rename.c
lsp_feature lsp_prepare_rename, lsp_rename;
// lsp_features.c
lsp_feature lsp_hover, lsp_completion, lsp_symbols, lsp_tokens, lsp_links, lsp_format;
// lsp_lenses.c
lsp_feature lsp_lenses, lsp_resolve_lens;
void lsp_answer_lenses(lsp_server *s, const char *uri); // those whose verdicts are there
void lsp_drop_lenses(lsp_server *s, const char *uri, int code, const char *words); // NULL: all

extern const char lsp_token_types[]; // as JSON

// All places of the symbol at a cursor, in every open text that knows it, by files and in the order
// of each text
typedef struct {
    const char *file, *bytes; // with its text
    size_t size, offset, length;
    bool declares;
} lsp_place;
typedef struct {
    lsp_place *list;
    size_t count, room;
    hamel_symbol symbol;
    size_t number; // of the symbol in cursor->root
} lsp_places;
bool lsp_places_of(lsp_server *s, const lsp_cursor *c, lsp_places *out); // false: no name there
// The file of a place as the editor calls it, "file:///..", NULL where it has none; the caller's
char *lsp_file_uri(const lsp_server *s, const char *file);
void lsp_write_location(const lsp_place *p, const char *uri, FILE *out);

// --- lsp_proofs.c --------------------------------------------------------------------------------

// Starts judging a document unless that is done or under way
void lsp_judge(lsp_server *s, lsp_document *d);
void lsp_judge_waiting(lsp_server *s); // the next one, if there is no child
void lsp_listen(lsp_server *s);        // reads what the child has said
void lsp_stop_child(lsp_server *s);
void lsp_forget_verdicts(lsp_document *d);
const lsp_verdict *lsp_find_verdict(const lsp_document *d, const char *name);

#endif
