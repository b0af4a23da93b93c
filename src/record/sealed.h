// Pieces of a file that is only ever appended to, each with its length and a checksum: what was
// being written when a disk was full or a process was killed does not match, and what was finished
// before does. Journals are made of them, those of runs (recording.h) and those of sweeps.
//
//   kind (4 letters) | CRC-32 of kind, length and content (4) | length (8) | content
#ifndef HAMEL_RECORD_SEALED_H
#define HAMEL_RECORD_SEALED_H

#include "base/text.h"

enum { SEALED_HEAD = 16 };

// The head of a piece whose content is elsewhere
void sealed_put_head(unsigned char *head, const char *kind, uint64_t length, const void *content);
// The content is what is appended between the two.
size_t sealed_begin(text *out);
void sealed_end(text *out, size_t begin, const char *kind);

typedef struct {
    char kind[5];
    uint32_t sum;
    uint64_t at, length; // of its content
} sealed;

// The piece that begins there in a file of `size` bytes, by its head: false where there is none, or
// it is torn. Where bytes that are there cannot be read nobody knows, and *unreadable is the errno.
bool sealed_find(int file, uint64_t at, uint64_t size, sealed *out, int *unreadable);
// Does its sum match? The content passes once, block by block.
bool sealed_is_whole(int file, const sealed *p, int *unreadable);

#endif
