// Makes an .h5 file hostile: puts something else in the place of one of its objects.
//
//     hostile_hdf5 FILE PATH KIND     KIND is one of those that `hostile_hdf5` alone lists
//
// Files that are named inside (`secret`, `other.h5`) are beside FILE. The status is 0 where it was
// made.
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    hid_t file;
    const char *path;
    hsize_t length; // of what was there
} place;

static hid_t line(hsize_t length) { return H5Screate_simple(1, &length, NULL); }

static herr_t make(const place *p, hid_t type, hid_t space, hid_t how, const void *value) {
    const hid_t data = H5Dcreate2(p->file, p->path, type, space, H5P_DEFAULT, how, H5P_DEFAULT);
    if (data < 0) return -1;
    const herr_t done = value ? H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) : 0;
    H5Dclose(data);
    return done;
}

static hid_t creation(void) { return H5Pcreate(H5P_DATASET_CREATE); }

// --- storage elsewhere ---------------------------------------------------------------------------

static herr_t external(const place *p) {
    const hid_t how = creation();
    H5Pset_external(how, "secret", 0, H5F_UNLIMITED);
    return make(p, H5T_IEEE_F64LE, line(p->length), how, NULL);
}

static herr_t external_bytes(const place *p) {
    const hid_t how = creation();
    H5Pset_external(how, "secret", 0, H5F_UNLIMITED);
    return make(p, H5T_STD_U8LE, line(p->length), how, NULL);
}

static herr_t virtual_data(const place *p) {
    const hid_t how = creation(), space = line(p->length);
    H5Pset_virtual(how, space, "other.h5", "/trajectory/y", space);
    return make(p, H5T_IEEE_F64LE, space, how, NULL);
}

static herr_t soft_link(const place *p) {
    return H5Lcreate_soft("/trajectory/y", p->file, p->path, H5P_DEFAULT, H5P_DEFAULT);
}
static herr_t dangling_link(const place *p) {
    return H5Lcreate_soft("/nowhere", p->file, p->path, H5P_DEFAULT, H5P_DEFAULT);
}
static herr_t link_to_itself(const place *p) {
    return H5Lcreate_soft(p->path, p->file, p->path, H5P_DEFAULT, H5P_DEFAULT);
}
static herr_t external_link(const place *p) {
    return H5Lcreate_external("other.h5", p->path, p->file, p->path, H5P_DEFAULT, H5P_DEFAULT);
}

// --- other storage -------------------------------------------------------------------------------

static herr_t in_chunks(const place *p, void (*filter)(hid_t how)) {
    const hid_t how = creation();
    const hsize_t each = p->length > 64 ? 64 : p->length;
    H5Pset_chunk(how, 1, &each);
    if (filter) filter(how);
    double *value = calloc(p->length, sizeof *value);
    const herr_t done = make(p, H5T_IEEE_F64LE, line(p->length), how, value);
    free(value);
    return done;
}
static void deflate(hid_t how) { H5Pset_deflate(how, 9); }
static void shuffle(hid_t how) { H5Pset_shuffle(how), H5Pset_fletcher32(how); }
static void unknown(hid_t how) { H5Pset_filter(how, 32000, H5Z_FLAG_OPTIONAL, 0, NULL); }
static herr_t chunks(const place *p) { return in_chunks(p, NULL); }
static herr_t compressed(const place *p) { return in_chunks(p, deflate); }
static herr_t shuffled(const place *p) { return in_chunks(p, shuffle); }
static herr_t unknown_filter(const place *p) { return in_chunks(p, unknown); }

// A few bytes that are a terabyte of zeros
static herr_t bomb(const place *p) {
    const hid_t how = creation();
    const hsize_t each = 1 << 20, all = (hsize_t)1 << 37;
    H5Pset_chunk(how, 1, &each), H5Pset_deflate(how, 9);
    return make(p, H5T_IEEE_F64LE, line(all), how, NULL);
}

static herr_t compact(const place *p) {
    const hid_t how = creation();
    const double value[16] = {0};
    H5Pset_layout(how, H5D_COMPACT);
    return make(p, H5T_IEEE_F64LE, line(16), how, value);
}

static herr_t huge(const place *p) {
    return make(p, H5T_IEEE_F64LE, line((hsize_t)1 << 58), H5P_DEFAULT, NULL);
}

// --- other types ---------------------------------------------------------------------------------

static herr_t of_type(const place *p, hid_t type) {
    return make(p, type, line(p->length), H5P_DEFAULT, NULL);
}
static herr_t short_floats(const place *p) { return of_type(p, H5T_IEEE_F32LE); }
static herr_t big_endian(const place *p) { return of_type(p, H5T_IEEE_F64BE); }
static herr_t integers(const place *p) { return of_type(p, H5T_STD_I64LE); }
static herr_t references(const place *p) { return of_type(p, H5T_STD_REF_OBJ); }
static herr_t opaque(const place *p) { return of_type(p, H5Tcreate(H5T_OPAQUE, 8)); }

static herr_t arrays(const place *p) {
    const hsize_t many = 1000;
    return of_type(p, H5Tarray_create2(H5T_IEEE_F64LE, 1, &many));
}

static herr_t long_strings(const place *p) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, 1 << 20);
    return make(p, type, line(4), H5P_DEFAULT, NULL);
}

static herr_t variable_strings(const place *p) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    const char *value[] = {"long", "longer", "longest"};
    H5Tset_size(type, H5T_VARIABLE);
    return make(p, type, line(3), H5P_DEFAULT, value);
}

static herr_t variable_numbers(const place *p) {
    double number = 1;
    const hvl_t value[] = {{1, &number}, {0, NULL}};
    return make(p, H5Tvlen_create(H5T_NATIVE_DOUBLE), line(2), H5P_DEFAULT, value);
}

static herr_t structures(const place *p) {
    const hid_t type = H5Tcreate(H5T_COMPOUND, 16);
    H5Tinsert(type, "a", 0, H5T_IEEE_F64LE), H5Tinsert(type, "b", 8, H5T_IEEE_F64LE);
    return of_type(p, type);
}

// --- other extents -------------------------------------------------------------------------------

static herr_t nothing(const place *p) {
    return make(p, H5T_IEEE_F64LE, H5Screate(H5S_NULL), H5P_DEFAULT, NULL);
}
static herr_t one_number(const place *p) {
    const double value = 1;
    return make(p, H5T_IEEE_F64LE, H5Screate(H5S_SCALAR), H5P_DEFAULT, &value);
}
static herr_t no_rows(const place *p) {
    return make(p, H5T_IEEE_F64LE, line(0), H5P_DEFAULT, NULL);
}
static herr_t longer(const place *p) {
    double *value = calloc(p->length + 1, sizeof *value);
    const herr_t done = make(p, H5T_IEEE_F64LE, line(p->length + 1), H5P_DEFAULT, value);
    free(value);
    return done;
}
static herr_t two_dimensions(const place *p) {
    const hsize_t extent[] = {p->length, 2};
    return make(p, H5T_IEEE_F64LE, H5Screate_simple(2, extent, NULL), H5P_DEFAULT, NULL);
}
static herr_t no_storage(const place *p) {
    return make(p, H5T_IEEE_F64LE, line(p->length), H5P_DEFAULT, NULL);
}
static herr_t no_bytes(const place *p) {
    return make(p, H5T_STD_U8LE, line(1 << 20), H5P_DEFAULT, NULL);
}
static herr_t zero_bytes(const place *p) {
    unsigned char *value = calloc(1 << 20, 1);
    const herr_t done = make(p, H5T_STD_U8LE, line(1 << 20), H5P_DEFAULT, value);
    free(value);
    return done;
}

// --- other objects -------------------------------------------------------------------------------

static herr_t missing(const place *p) { return p ? 0 : -1; }
static herr_t group(const place *p) {
    return H5Gclose(H5Gcreate2(p->file, p->path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
}
static herr_t datatype(const place *p) {
    const hid_t type = H5Tcopy(H5T_IEEE_F64LE);
    return H5Tcommit2(p->file, p->path, type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
}
static herr_t the_root(const place *p) {
    return H5Lcreate_hard(p->file, "/", p->file, p->path, H5P_DEFAULT, H5P_DEFAULT);
}

static const struct {
    const char *name;
    herr_t (*make)(const place *p);
} KINDS[] = {
#define KIND(name)                                                                                 \
    { #name, name }
    KIND(external),       KIND(external_bytes), KIND(virtual_data),     KIND(soft_link),
    KIND(dangling_link),  KIND(link_to_itself), KIND(external_link),    KIND(chunks),
    KIND(compressed),     KIND(shuffled),       KIND(unknown_filter),   KIND(bomb),
    KIND(compact),        KIND(huge),           KIND(short_floats),     KIND(big_endian),
    KIND(integers),       KIND(references),     KIND(opaque),           KIND(arrays),
    KIND(long_strings),   KIND(structures),     KIND(variable_strings), KIND(variable_numbers),
    KIND(nothing),        KIND(one_number),     KIND(no_rows),          KIND(longer),
    KIND(two_dimensions), KIND(no_storage),     KIND(no_bytes),         KIND(zero_bytes),
    KIND(missing),        KIND(group),          KIND(datatype),         KIND(the_root),
#undef KIND
};
enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS };

static hsize_t length_of(hid_t file, const char *path) {
    hsize_t length = 16;
    H5O_info_t about;
    if (H5Oget_info_by_name(file, path, &about, H5P_DEFAULT) < 0) return length;
    if (about.type != H5O_TYPE_DATASET) return length;
    const hid_t data = H5Dopen2(file, path, H5P_DEFAULT), space = H5Dget_space(data);
    H5Sget_simple_extent_dims(space, &length, NULL);
    H5Sclose(space), H5Dclose(data);
    return length;
}

int main(int argc, char **argv) {
    for (int i = 0; i < KIND_COUNT && argc == 1; i++) puts(KINDS[i].name);
    if (argc != 4) return argc != 1;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    int kind = 0;
    while (kind < KIND_COUNT && strcmp(KINDS[kind].name, argv[3]) != 0) kind++;
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST);
    place p = {H5Fopen(argv[1], H5F_ACC_RDWR, access), argv[2], 0};
    if (kind == KIND_COUNT || p.file < 0) return 1;
    p.length = length_of(p.file, p.path);
    if (H5Ldelete(p.file, p.path, H5P_DEFAULT) < 0 || KINDS[kind].make(&p) < 0) return 1;
    return H5Fclose(p.file) < 0;
}
