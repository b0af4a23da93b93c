// A contact in the mode that it is read in. The statement (statement_contact.c) reads its clauses
// and finds the mode; contact_expand() adds the constraints, forces and events of that mode to the
// model, and fills in what the laws of contact need of it.
#ifndef HAMEL_PARSE_CONTACT_PARTS_H
#define HAMEL_PARSE_CONTACT_PARTS_H

#include "parse/statement.h"

// The clause of a contact that begins with this word; "place" and "kinetic" are what may stand
// behind `at NAME` and `friction E`. NULL: there is none.
const item *contact_clause(const statement *st, const char *word);
// With name, gap and mode of c set; false: reported.
bool contact_expand(elaborator *el, const instance *in, contact *c);
// Once all contacts are known: the events at which the mode of this one ends
void contact_add_ends(elaborator *el, contact *c);

#endif
