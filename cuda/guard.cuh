// --- the choice of independent velocities ------------------------------------------------------------

// Where constraints are solved for some velocities, these may stop following from the others, and
// constraints may become dependent. A run that comes near to either is handed back: simulate goes on
// with other independent velocities, and finds out about the rank.
#if HAMEL_GUARDED
// Gauss's elimination with full pivoting in place: the smallest pivot of the k x columns matrix
static HAMEL_FAR real hamel_smallest_pivot(int columns, real *a) {
    const int k = hamel_row_count;
    real smallest = R(INFINITY);
    for (int s = 0; s < k; s++) {
        int row = s, column = s;
        for (int i = s; i < k; i++)
            for (int j = s; j < columns; j++)
                if (fabs(a[i * columns + j]) > fabs(a[row * columns + column])) row = i, column = j;
        for (int j = 0; j < columns; j++) {
            const real other = a[s * columns + j];
            a[s * columns + j] = a[row * columns + j], a[row * columns + j] = other;
        }
        for (int i = 0; i < k; i++) {
            const real other = a[i * columns + s];
            a[i * columns + s] = a[i * columns + column], a[i * columns + column] = other;
        }
        const real pivot = a[s * columns + s];
        if (fabs(pivot) < smallest) smallest = fabs(pivot);
        if (pivot == 0) return 0;
        for (int i = s + 1; i < k; i++) {
            const real f = a[i * columns + s] / pivot;
            for (int j = s; j < columns; j++) a[i * columns + j] -= f * a[s * columns + j];
        }
    }
    return smallest;
}

static HAMEL_FAR bool hamel_is_poor(real t, const real *z, const real *p, const real *c) {
    const int k = hamel_row_count, n = hamel_column_count;
    const real POOR = R(0.3), NEARLY_DEPENDENT = R(0.05);
    real a[hamel_row_count * hamel_column_count], own[hamel_row_count * hamel_row_count];
    hamel_rows(t, z, p, c + hamel_rows_at, a);
    for (int i = 0; i < k; i++) {
        real norm = 0;
        for (int j = 0; j < n; j++) norm = fmax(norm, fabs(a[i * n + j]));
        for (int j = 0; j < n && norm > 0; j++) a[i * n + j] /= norm;
        for (int j = 0; j < k; j++) own[i * k + j] = a[i * n + hamel_dependent(j)];
    }
    const real smallest = hamel_smallest_pivot(k, own), best = hamel_smallest_pivot(n, a);
    return smallest < POOR * best || best < NEARLY_DEPENDENT;
}
#else
HAMEL_DEVICE bool hamel_is_poor(real, const real *, const real *, const real *) { return false; }
#endif

