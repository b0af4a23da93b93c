// Attributes, types, transfers and errors of HDF5.
#include "record/hdf5_internal.h"

#include <string.h>

// --- errors --------------------------------------------------------------------------------------

voice hdf5_silence(void) {
    voice v;
    H5Eget_auto2(H5E_DEFAULT, &v.print, &v.data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return v;
}

void hdf5_give_back(voice v) { H5Eset_auto2(H5E_DEFAULT, v.print, v.data); }

// The innermost error; of a failed system call, what the system says.
static herr_t take_reason(unsigned depth, const H5E_error2_t *e, void *out) {
    static const char SYSTEM[] = "error message = '";
    if (depth) return 0;
    const char *said = strstr(e->desc, SYSTEM),
               *end = said ? strchr(said += sizeof SYSTEM - 1, '\'') : NULL;
    if (end) text_append_n(out, said, (size_t)(end - said));
    else text_append(out, e->desc);
    return 0;
}

void hdf5_say_why(text *why, const char *otherwise) {
    if (why->length) return;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_reason, why);
    if (!why->length) text_append(why, otherwise);
}

// --- attributes ----------------------------------------------------------------------------------

hid_t hdf5_text_type(void) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

static bool put(hid_t where, const char *name, hid_t file_type, hid_t memory_type, hid_t space,
                const void *value) {
    if (H5Aexists(where, name) > 0) H5Adelete(where, name);
    const hid_t a = H5Acreate2(where, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT);
    const bool good = a >= 0 && H5Awrite(a, memory_type, value) >= 0;
    H5Aclose(a), H5Sclose(space);
    return good;
}

bool hdf5_put_texts(hid_t where, const char *name, hsize_t count, const char *const *value) {
    const hid_t type = hdf5_text_type();
    const bool good = put(where, name, type, type, H5Screate_simple(1, &count, NULL), value);
    H5Tclose(type);
    return good;
}

bool hdf5_put_text(hid_t where, const char *name, const char *value) {
    const hid_t type = hdf5_text_type();
    const bool good = put(where, name, type, type, H5Screate(H5S_SCALAR), &value);
    H5Tclose(type);
    return good;
}

bool hdf5_put_number(hid_t where, const char *name, double value) {
    return put(where, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, H5Screate(H5S_SCALAR), &value);
}

bool hdf5_put_count(hid_t where, const char *name, uint64_t value) {
    return put(where, name, H5T_STD_U64LE, H5T_NATIVE_UINT64, H5Screate(H5S_SCALAR), &value);
}

// --- types ---------------------------------------------------------------------------------------

hid_t hdf5_position_type(void) {
    static const struct {
        const char *name;
        size_t at;
    } counts[] = {{"rows", offsetof(position, rows)},
                  {"next_row", offsetof(position, next_row)},
                  {"steps", offsetof(position, steps)},
                  {"rejected", offsetof(position, rejected)},
                  {"evaluations", offsetof(position, evaluations)},
                  {"events", offsetof(position, events)},
                  {"place", offsetof(position, place)}};
    const hsize_t carried = POSITION_CARRIED;
    const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(position)),
                array = H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &carried);
    H5Tinsert(type, "t", offsetof(position, t), H5T_NATIVE_DOUBLE);
    H5Tinsert(type, "carried", offsetof(position, carried), array);
    H5Tinsert(type, "smallest_step", offsetof(position, smallest_step), H5T_NATIVE_DOUBLE);
    H5Tinsert(type, "largest_step", offsetof(position, largest_step), H5T_NATIVE_DOUBLE);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        H5Tinsert(type, counts[i].name, counts[i].at, H5T_NATIVE_UINT64);
    H5Tclose(array);
    return type;
}

hid_t hdf5_event_type(uint32_t state_numbers, size_t name_bytes) {
    const size_t state = sizeof(double) * state_numbers;
    const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(event_numbers) + state + name_bytes),
                name = H5Tcopy(H5T_C_S1);
    H5Tset_size(name, name_bytes);
    H5Tset_strpad(name, H5T_STR_NULLPAD);
    H5Tset_cset(name, H5T_CSET_UTF8);
    H5Tinsert(type, "t", offsetof(event_numbers, t), H5T_NATIVE_DOUBLE);
    H5Tinsert(type, "direction", offsetof(event_numbers, direction), H5T_NATIVE_INT64);
    if (state_numbers) {
        const hsize_t count = state_numbers;
        const hid_t numbers = H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &count);
        H5Tinsert(type, "state", sizeof(event_numbers), numbers);
        H5Tclose(numbers);
    }
    H5Tinsert(type, "name", sizeof(event_numbers) + state, name);
    H5Tclose(name);
    return type;
}

// --- files and datasets --------------------------------------------------------------------------

// Nothing that HDF5 knows about a file reaches the disk by itself.
hid_t hdf5_access(void) {
    const hid_t list = H5Pcreate(H5P_FILE_ACCESS);
    H5AC_cache_config_t cache = {.version = H5AC__CURR_CACHE_CONFIG_VERSION};
    H5Pget_mdc_config(list, &cache);
    cache.evictions_enabled = false;
    cache.incr_mode = H5C_incr__off, cache.flash_incr_mode = H5C_flash_incr__off,
    cache.decr_mode = H5C_decr__off;
    H5Pset_mdc_config(list, &cache);
    H5Pset_fclose_degree(list, H5F_CLOSE_STRONG);
    H5Pset_file_locking(list, true, true);
    return list;
}

// No cache: rows are in the file when H5Dwrite returns.
hid_t hdf5_column_access(void) {
    const hid_t list = H5Pcreate(H5P_DATASET_ACCESS);
    H5Pset_chunk_cache(list, H5D_CHUNK_CACHE_NSLOTS_DEFAULT, 0, H5D_CHUNK_CACHE_W0_DEFAULT);
    return list;
}

bool hdf5_transfer(hid_t data, hid_t type, hsize_t from, hsize_t count, void *values, bool write) {
    const hid_t memory = H5Screate_simple(1, &count, NULL), space = H5Dget_space(data);
    bool good =
        space >= 0 && H5Sselect_hyperslab(space, H5S_SELECT_SET, &from, NULL, &count, NULL) >= 0;
    if (good)
        good = (write ? H5Dwrite(data, type, memory, space, H5P_DEFAULT, values)
                      : H5Dread(data, type, memory, space, H5P_DEFAULT, values)) >= 0;
    H5Sclose(memory), H5Sclose(space);
    return good;
}

// --- the state -----------------------------------------------------------------------------------

const char *hdf5_part_name(uint32_t part) {
    static const char *const name[PART_COUNT] = {[PART_Z] = "z",
                                                 [PART_REST] = "rest",
                                                 [PART_TURNS] = "turns",
                                                 [PART_HERE] = "here",
                                                 [PART_DEVIATION] = "deviation"};
    return name[part];
}

hsize_t hdf5_part_size(const simulation *sim, uint32_t part) {
    return part == PART_HERE || part == PART_DEVIATION ? sim->column_count : sim->o->size;
}

bool hdf5_transfer_parts(const store *h, uint64_t place, const run_position *here,
                         double *deviation, bool write) {
    double *const values[PART_COUNT] = {[PART_Z] = here->z,
                                        [PART_REST] = here->rest,
                                        [PART_TURNS] = here->turns,
                                        [PART_HERE] = here->columns,
                                        [PART_DEVIATION] = deviation};
    bool good = true;
    for (uint32_t i = 0; i < PART_COUNT && good; i++) {
        const hsize_t size = hdf5_part_size(h->sim, i);
        good = !size ||
               hdf5_transfer(h->part[i], H5T_NATIVE_DOUBLE, place * size, size, values[i], write);
    }
    return good;
}
