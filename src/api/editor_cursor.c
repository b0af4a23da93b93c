// Where in a statement a place of a text is.
#include "api/editor_cursor.h"

#include <string.h>

typedef struct {
    char mark;        // ( [ or {
    const char *name; // in front of it; NULL: none
    bool follows_number;
    uint32_t commas; // inside so far
} bracket;

enum { MOST_BRACKETS = 64, LAST = 4 };

typedef struct { // one statement so far
    int statement;
    uint32_t tokens; // behind its word
    bool equals;     // `=` or `:` was there, outside of brackets
    bracket open[MOST_BRACKETS];
    uint32_t depth;
    token last[2]; // the token before, and the one before that
} sofar;

static bool continues(int kind) {
    return kind == TOKEN_RANGE || (kind > 0 && kind < TOKEN_END && strchr("+-*/^,=:", kind));
}

static void begin(sofar *s) { *s = (sofar){.statement = -1}; }

static void open_bracket(sofar *s, int mark) {
    const bool named = s->last[0].kind == TOKEN_NAME;
    if (s->depth < MOST_BRACKETS)
        s->open[s->depth] = (bracket){.mark = (char)mark,
                                      .name = named ? s->last[0].name : NULL,
                                      .follows_number = s->last[0].kind == TOKEN_NUMBER};
    s->depth++;
}

static void take(sofar *s, token t, bool next_on_line) {
    const bool word = t.kind == TOKEN_NAME && t.starts_line && statement_find(t.name) >= 0;
    const bool ended = !s->depth && !continues(s->last[0].kind);
    if ((t.starts_line && ended) || (word && next_on_line)) begin(s);
    if (t.kind == '}' && (!s->depth || s->statement == STATEMENT_FOR)) {
        begin(s);
        return;
    }
    if (s->statement < 0 && t.kind == TOKEN_NAME && !s->tokens) {
        s->statement = statement_find(t.name);
        s->tokens = s->statement < 0; // an unknown word is no beginning
    } else {
        s->tokens++;
    }
    if (t.kind == '{' && s->statement == STATEMENT_FOR) {
        begin(s);
        return;
    }
    if (t.kind == '(' || t.kind == '[' || t.kind == '{') open_bracket(s, t.kind);
    else if ((t.kind == ')' || t.kind == ']' || t.kind == '}') && s->depth) s->depth--;
    else if (t.kind == ',' && s->depth && s->depth <= MOST_BRACKETS) s->open[s->depth - 1].commas++;
    if (!s->depth && (t.kind == '=' || t.kind == ':')) s->equals = true;
    if (!s->depth && t.kind == ',') s->equals = false;
    s->last[1] = s->last[0];
    s->last[0] = t;
}

static bool is_word(const token *t, const char *word) {
    return t->kind == TOKEN_NAME && strcmp(t->name, word) == 0;
}

static bool is_one_of(const char *word, const char *const *list) {
    for (; word && *list; list++)
        if (strcmp(word, *list) == 0) return true;
    return false;
}

static cursor_place in_brackets(const sofar *s) {
    static const char *const of_bodies[] = {"pos",   "vel",      "acc",     "omega", "frame",
                                            "velat", "momentum", "inertia", NULL};
    if (s->depth > MOST_BRACKETS) return CURSOR_VALUE;
    const bracket *b = &s->open[s->depth - 1];
    if (b->mark == '[' && b->follows_number) return CURSOR_NOTHING; // a unit
    if (b->mark == '[' && b->name && strcmp(b->name, "lambda") == 0) return CURSOR_CONSTRAINT;
    if (b->mark == '(' && b->name && strcmp(b->name, "reaction") == 0) return CURSOR_CONSTRAINT;
    if (b->mark == '(' && !b->commas && is_one_of(b->name, of_bodies)) return CURSOR_BODY;
    return CURSOR_VALUE;
}

static bool names_body(const sofar *s) {
    const token *last = &s->last[0];
    switch (s->statement) {
    case STATEMENT_FORCE:
    case STATEMENT_TORQUE: return is_word(last, "on") && s->tokens == 1;
    case STATEMENT_ORIENTATION: return is_word(last, "of");
    case STATEMENT_CONTACT: return is_word(last, "at") || is_word(last, "against");
    case STATEMENT_TOUCH:
    case STATEMENT_ROLL: return !s->tokens || last->kind == ':';
    case STATEMENT_DRAW: return is_word(last, "box") || is_word(last, "ellipsoid");
    default: return false;
    }
}

static cursor_place in_statement(const sofar *s) {
    const token *last = &s->last[0];
    const statement_rule *rule = statement_rules[s->statement];
    const bool first = !s->tokens || (last->kind == ',' && !s->equals);
    if (names_body(s)) return CURSOR_BODY;
    switch (s->statement) {
    case STATEMENT_CLAIM:
        if (is_word(last, "under")) return CURSOR_FORM;
        return s->tokens ? CURSOR_VALUE : CURSOR_NEW_NAME;
    case STATEMENT_SIMULATE:
        if (last->kind == '=' && is_word(&s->last[1], "form")) return CURSOR_FORM;
        if (last->kind == '=' && is_word(&s->last[1], "method")) return CURSOR_METHOD;
        return first ? CURSOR_BEHIND : CURSOR_VALUE;
    case STATEMENT_INDEPENDENT: return CURSOR_COORDINATE;
    case STATEMENT_INITIAL:
    case STATEMENT_GUESS:
    case STATEMENT_FORCE: return first ? CURSOR_COORDINATE : CURSOR_VALUE;
    case STATEMENT_SYSTEM:
    case STATEMENT_INCLUDE: return CURSOR_NOTHING;
    case STATEMENT_CONTACT:
    case STATEMENT_BODY:
    case STATEMENT_POINT:
        if (last->kind == ':' || (last->kind == ',' && s->statement == STATEMENT_CONTACT))
            return CURSOR_BEHIND;
        return s->tokens ? CURSOR_VALUE : CURSOR_NEW_NAME;
    case STATEMENT_DRAW: return s->tokens ? CURSOR_VALUE : CURSOR_BEHIND;
    case STATEMENT_EVENT:
    case STATEMENT_WHEN: return s->tokens ? CURSOR_VALUE : CURSOR_NEW_NAME;
    case STATEMENT_FOR:
    case STATEMENT_COLLECT:
    case STATEMENT_INVARIANT:
    case STATEMENT_OBSERVE: return first ? CURSOR_NEW_NAME : CURSOR_VALUE;
    default: return first && rule->declares != ENTRY_NONE ? CURSOR_NEW_NAME : CURSOR_VALUE;
    }
}

// Behind a value stands an operator, or a word such as `at`.
static bool is_value(const sofar *s) {
    const token *last = &s->last[0];
    if (last->kind == TOKEN_NUMBER || last->kind == TOKEN_PRIMES || last->kind == ')' ||
        last->kind == ']')
        return true;
    static const char *const words[] = {
        "mass",     "at",     "inertia", "rotation", "gap",  "in",        "restitution", "normal",
        "friction", "on",     "from",    "by",       "with", "solution",  "moving",      "axis",
        "through",  "around", "along",   "as",       "ball", "disc",      "disk",        "torus",
        "sphere",   "line",   "trail",   "curve",    "box",  "ellipsoid", NULL};
    return last->kind == TOKEN_NAME && s->tokens && !is_one_of(last->name, words);
}

// Does a comment begin between a token's end and the offset, in the line of the offset?
static bool in_comment(const source *file, uint32_t from, size_t offset) {
    bool comment = false;
    for (size_t i = from; i < offset; i++) {
        if (file->bytes[i] == '#') comment = true;
        if (file->bytes[i] == '\n') comment = false;
    }
    return comment;
}

editor_cursor editor_cursor_at(context *ctx, const source *file, size_t offset) {
    lexer lex;
    lexer_init(&lex, ctx, file);
    lex.quiet = true;
    sofar s;
    begin(&s);
    editor_cursor c = {.from = (uint32_t)offset};
    uint32_t end = 0;
    token t = lexer_next(&lex);
    bool begins_line = true; // the word at the offset, or the empty place
    while (t.kind != TOKEN_END && t.at.offset < offset) {
        const token next = lexer_next(&lex);
        end = t.at.offset + t.at.length;
        if (end >= offset && t.kind == TOKEN_NAME) {
            c.from = t.at.offset, begins_line = t.starts_line;
            break;
        }
        if ((end > offset && t.kind == TOKEN_STRING) || (end >= offset && t.kind == TOKEN_NUMBER) ||
            (end >= offset && t.kind == TOKEN_PRIMES)) {
            c.place = CURSOR_NOTHING;
            c.statement = s.statement;
            return c;
        }
        take(&s, t, !next.starts_line);
        begins_line = false;
        t = next;
    }
    if (c.from == offset && end <= offset)
        begins_line = memchr(file->bytes + end, '\n', offset - end) || !end;
    const bool ended = !s.depth && !continues(s.last[0].kind);
    if (begins_line && ended) begin(&s);
    c.statement = s.statement;
    if (c.from == offset && in_comment(file, end, offset)) c.place = CURSOR_NOTHING;
    else if (s.last[0].kind == '.')
        c.place = s.last[1].kind == TOKEN_NUMBER ? CURSOR_NOTHING : CURSOR_COMPONENT;
    else if (s.statement < 0) c.place = s.tokens ? CURSOR_NOTHING : CURSOR_STATEMENT;
    else if (s.depth) c.place = in_brackets(&s);
    else c.place = is_value(&s) && !names_body(&s) ? CURSOR_BEHIND : in_statement(&s);
    return c;
}
