// The parser's state, shared by the files that hold its productions. Each production is a function
// that reads from the current token on and leaves the parser behind what it read; where something
// is wrong it reports, and the statement is skipped.
#ifndef HAMEL_PARSE_PARSER_H
#define HAMEL_PARSE_PARSER_H

#include "base/names.h"
#include "parse/syntax.h"
#include "parse/token.h"

typedef struct loop_name { // innermost first
    const char *name;
    const struct loop_name *outer;
} loop_name;

// What the parser knows of the tokens of a text that is to be laid out: a set of layout_mark for
// each byte of it
typedef enum {
    MARK_STATEMENT = 1, // a statement begins
    MARK_JOIN = 2,      // + or - between two operands
    MARK_CALL = 4,      // ( of a call
    MARK_UNIT = 8       // [ of a unit
} layout_mark;
typedef struct {
    const source *text;
    uint8_t *at;
} layout_marks;

// What all files of one model share.
typedef struct {
    context *ctx;
    pool *pool;
    // names in statements that could not be read: an unknown name among them is not reported again
    names suspects;
    names contacts;      // the names of `touch` and `roll`
    bool incomplete;     // an include could not be read: unknown names are not reported at all
    bool has_units;      // a unit stands in the text: dimensions are to be checked
    names constants;     // declared by `const`: in brackets they are indices, not units
    uint32_t node_count; // of syntax
    uint32_t file_count;
    size_t byte_count;
    struct hamel_model *model; // remembers the files it includes
    struct outline *outline;   // what an editor asks for besides; NULL: nobody does
    // what it includes was read before, for this model of the same text; NULL: it is read now
    const struct hamel_model *like;
    layout_marks *marks; // the text is only laid out (layout.h); NULL: a model is made
} reader;

typedef struct parser {
    reader *shared;
    context *ctx;
    lexer lexer;
    token token;       // the one to be read next
    token previous;    // the one read last
    uint32_t brackets; // open ( and [
    uint32_t depth;    // of nested brackets and blocks
    // how many { of loops that could not be read are open: their } are to be skipped
    uint32_t orphans;
    bool value_only;                // the text holds no statements
    bool failed;                    // the statement under way is wrong, and that was reported
    bool constants_known;           // those of this text are among the shared ones
    const struct loop_name *loops;  // the indices of the loops around
    const struct file_chain *chain; // the files that include this one
} parser;

// --- reading tokens (parser.c) -------------------------------------------------------------------

// value_only: the text is no model, but what stands on the right of `=`
void parser_init(parser *ps, reader *shared, const source *text, bool value_only);
// Of a text, called so in messages, that stands for a part of a model
parser parser_of_text(reader *shared, const char *name, const char *text, bool value_only);
void parser_advance(parser *ps);
// the token to come belongs to the next statement
bool parser_ends_statement(const parser *ps);
bool parser_sees(const parser *ps, int kind); // .. is of this kind and belongs to this statement
bool parser_sees_word(const parser *ps, const char *word); // .. is this word, and the same
bool parser_accept(parser *ps, int kind);
bool parser_accept_word(parser *ps, const char *word);
bool parser_expect(parser *ps, int kind, const char *what); // "expected WHAT, found ..."
void parser_unexpected(parser *ps, const char *what);
void parser_unexpected_with(parser *ps, const char *help, const char *what);
void parser_fail(parser *ps, span at, const char *help, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// Goes one level deeper; false, and reported, at the limit. ps->depth-- leaves the level.
bool parser_enter(parser *ps, span at);
void parser_open(parser *ps); // read ( or [
bool parser_close(parser *ps, int kind, span opened);
span parser_span(const parser *ps, span from); // from there to the token read last
void parser_mark(const parser *ps, uint32_t offset, layout_mark mark); // where a text is laid out

// --- expressions (productions.c) -----------------------------------------------------------------

syntax *parse_expression(parser *ps);
syntax *parse_reference(parser *ps, const char *what);  // a name with indices and primes
syntax *parse_declarator(parser *ps, const char *what); // a name with indices or ranges
syntax *syntax_new(parser *ps, syntax_kind kind, span at);

// --- units (unit.c) ------------------------------------------------------------------------------

const unit *parse_unit(parser *ps); // from `[` on; NULL: reported
// Is the `[` to come, behind a name that is declared, that of a unit, and not of indices?
bool parse_sees_unit(parser *ps);
bool syntax_is_plain(const syntax *node); // numbers without units alone: 2/3, pi/4
// The unit without brackets that begins at the token to come, as text: "m/s^2"; NULL: none
const char *parse_bare_unit(const parser *ps);
syntax *parse_times_unit(parser *ps, syntax *node); // (2/3) [m], sqrt(2) [m], pi [rad]
// Gives a definition the unit behind its name or its value: `param L [cm] = 30`
void parse_unit_of_item(parser *ps, const statement *st, item *it);
// Two thirds of a metre, 2/3 [m], and a millimetre, 10^-3 [m]: the unit belongs to the whole number
syntax *parse_lift_unit(parser *ps, syntax *node);

// --- statements (statement.c, clauses.c, statement_include.c) ------------------------------------

// up to the end, or to the } of a block
statement *parse_statements(parser *ps, bool block, uint32_t *count);
item *parse_item(parser *ps, statement *st); // appends a new item
const syntax *parse_label(parser *ps, const char *what);
// lists of names; of names with a value; of names that may have one
void parse_names(parser *ps, statement *st);
void parse_definitions(parser *ps, statement *st);
void parse_open_definitions(parser *ps, statement *st);
void parse_signals(parser *ps, statement *st); // or that come from data (data_clause.c)
void parse_operand(parser *ps, statement *st); // one expression
void parse_equation(parser *ps, item *it);     // from `=` on if the left side is known
const char *parse_identifier(parser *ps, const char *what); // words joined by '-': a-model
statement *parse_text(reader *shared, const source *text);  // a whole model
// The text of a data file beside the one that names it; NULL: reported
const source *parse_data_text(parser *ps, span at, const char *file);
// Gives the bodies that `orientation` names their rotations; reports where that cannot be.
void parse_attach_orientations(context *ctx, statement *first);

#endif
