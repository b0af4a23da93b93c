// A file that grows by whole pieces or by nothing, on a disk that may be full: room is taken before
// it is needed, so that what has been computed can still be written where there is no more.
// Journals are written through it; the file itself is opened, locked and closed by its owner.
#ifndef HAMEL_RECORD_GROWING_FILE_H
#define HAMEL_RECORD_GROWING_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    int file;
    uint64_t length, reserved; // bytes that are whole; bytes the disk has promised
    double synced;             // seconds of the clock
    bool is_long;              // it took so long that it was synced: nobody wants to do it again
    int failure;               // errno of what went wrong first; 0: nothing did
} growing_file;

// The file that was opened, of which so many bytes count
growing_file growing_file_begin(int file, uint64_t length);
// False: the disk is full. What does not fail here may fail where it is written.
bool growing_file_reserve(growing_file *f);
// Both, one after the other; the second may be empty
bool growing_file_append(growing_file *f, const void *bytes, size_t size, const void *more,
                         size_t more_size);
// To the disk itself, if the last time was a second ago
bool growing_file_sync(growing_file *f);

#endif
