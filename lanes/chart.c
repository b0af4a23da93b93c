// Where other independent velocities should be chosen, as src/simulate/charts.c says: the smallest
// pivot of the dependent columns of A = dPhi/dq' has fallen below this part of that of all columns.
enum { K = CHART_ROWS, CN = CHART_COLUMNS };
#if CHART_ROWS * CHART_COLUMNS <= 16 // without loops, where that is short
#define EACH_TO(i, count) _Pragma("GCC unroll 16") for (int i = 0; i < (count); i++)
#else
#define EACH_TO(i, count) for (int i = 0; i < (count); i++)
#endif

// The smallest pivot of an elimination with full pivoting, in which each lane has pivots of its own:
// rows and columns are marked where they would be exchanged
static inline __attribute__((always_inline)) lanes smallest_pivot(const int columns,
                                                                 const lanes *from) {
    lanes a[K * CN], smallest = lanes_all(0);
    mask used_row[K], used_column[CN], ended = mask_of(0);
    EACH_TO(i, K * columns) a[i] = from[i];
    EACH_TO(i, K) used_row[i] = mask_of(0);
    EACH_TO(j, columns) used_column[j] = mask_of(0);
    EACH_TO(step, K) {
        lanes most = lanes_all(-1), row = lanes_all(0), column = row, pivot = row, line[CN];
        EACH_TO(i, K) EACH_TO(j, columns) {
            const lanes size = lanes_fabs(a[i * columns + j]);
            const mask better = without(less(most, size), either(used_row[i], used_column[j]));
            most = select(better, size, most);
            row = select(better, lanes_all((double)i), row);
            column = select(better, lanes_all((double)j), column);
        }
        most = select(both(finite_lanes(most), less(lanes_all(0), most)), most, lanes_all(0));
        smallest = select(ended, smallest, most);
        ended = either(ended, equal(most, lanes_all(0)));
        EACH_TO(j, columns) line[j] = lanes_all(0);
        EACH_TO(i, K) {
            const mask here = equal(row, lanes_all((double)i));
            used_row[i] = either(used_row[i], here);
            EACH_TO(j, columns) line[j] = select(here, a[i * columns + j], line[j]);
        }
        EACH_TO(j, columns) {
            const mask here = equal(column, lanes_all((double)j));
            used_column[j] = either(used_column[j], here);
            pivot = select(here, line[j], pivot);
        }
        EACH_TO(i, K) {
            lanes head = lanes_all(0);
            EACH_TO(j, columns)
                head = select(equal(column, lanes_all((double)j)), a[i * columns + j], head);
            const lanes factor = head / pivot;
            EACH_TO(j, columns)
                a[i * columns + j] = select(used_row[i], a[i * columns + j],
                                            a[i * columns + j] - factor * line[j]);
        }
    }
    return smallest;
}

static mask chart_is_poor(const state *w) {
    lanes a[K * CN], own[K * K];
    mask known = mask_of(EVERY);
    hamel_rows(w->t, w->z, w->p, w->c_rows, a);
    EACH_TO(i, K) {
        lanes most = lanes_all(0);
        EACH_TO(j, CN)
            known = both(known, finite_lanes(a[i * CN + j])),
            most = larger(most, lanes_fabs(a[i * CN + j]));
        EACH_TO(j, CN)
            a[i * CN + j] = select(less(lanes_all(0), most), a[i * CN + j] / most, a[i * CN + j]);
        EACH_TO(j, K) own[i * K + j] = a[i * CN + DEPENDENT[j]];
    }
    const lanes smallest = smallest_pivot(K, own);
    // No entry is larger than 1, and an elimination at most doubles the largest
    if (bits_of(less(lanes_all(0.301 * (1 << (K - 1))), smallest)) == EVERY) return mask_of(0);
    const lanes best = smallest_pivot(CN, a);
    const lanes quality =
        select(less(smallest, best), smallest / best, lanes_all(1));
    return both(known, less(quality, lanes_all(0.3)));
}
