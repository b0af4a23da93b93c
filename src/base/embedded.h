// The model library as compiled into libhamel: tools/embed-models writes the table from
// models/**/*.ham. hamel_model_open() looks here for a name that is no file, and tests range over
// the whole table.
#ifndef HAMEL_BASE_EMBEDDED_H
#define HAMEL_BASE_EMBEDDED_H

struct embedded_model {
    const char *name;          // the file's stem: "sleigh"
    const char *path;          // below models/: "classics/sleigh.ham"
    const unsigned char *text; // size bytes, then a NUL that size does not count
    unsigned long size;
};

// Sorted by name, as strcmp orders.
extern const struct embedded_model embedded_models[];
extern const unsigned long embedded_model_count;

// Data that they take functions from, models/**/*.csv
extern const struct embedded_model embedded_data[];
extern const unsigned long embedded_data_count;

#endif
