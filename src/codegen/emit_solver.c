// The solution of linear systems as C functions, in the same operations as the interpreter
// (solve_template.h).
#include "codegen/emit.h"

static const char symmetric_text[] =
    "#ifndef HAMEL_SOLVER_SYMMETRIC // A = L D L^T; A row by row up to the diagonal, then L below "
    "it and D on it\n"
    "#define HAMEL_SOLVER_SYMMETRIC\n"
    "static HAMEL_NOT_INLINE void hamel_factor_symmetric(int n, %s *a) {\n"
    "    %s *r = a; // row i\n"
    "    for (int i = 0; i < n; r += ++i) {\n"
    "        const %s *c = a; // row j\n"
    "        for (int j = 0; j < i; c += ++j)\n"
    "            for (int k = 0; k < j; k++) r[j] -= r[k] * c[k];\n"
    "        c = a;\n"
    "        for (int j = 0; j < i; c += ++j) {\n"
    "            const %s scaled = r[j] / c[j];\n"
    "            r[i] -= r[j] * scaled;\n"
    "            r[j] = scaled;\n"
    "        }\n"
    "    }\n"
    "}\n\n"
    "static HAMEL_NOT_INLINE void hamel_solve_symmetric(int n, const %s *a, %s *x) {\n"
    "    const %s *r = a;\n"
    "    for (int i = 0; i < n; r += ++i)\n"
    "        for (int k = 0; k < i; k++) x[i] -= r[k] * x[k];\n"
    "    for (int i = n - 1; i >= 0; i--) {\n"
    "        r -= i + 1;\n"
    "        x[i] /= r[i];\n"
    "    }\n"
    "    for (int i = n - 1; i >= 0; i--) {\n"
    "        r = a + i * (i + 1) / 2;\n"
    "        for (int k = 0; k < i; k++) x[k] -= r[k] * x[i];\n"
    "    }\n"
    "}\n"
    "#endif\n\n";

static const char general_text[] =
    "#ifndef HAMEL_SOLVER_GENERAL // P A = L U; row[k] is the row that was exchanged with row k\n"
    "#define HAMEL_SOLVER_GENERAL\n"
    "static HAMEL_NOT_INLINE void hamel_factor_general(int n, %s *a, int *row) {\n"
    "    for (int k = 0; k < n; k++) {\n"
    "        int best = k;\n"
    "        for (int i = k + 1; i < n; i++) {\n"
    "            const %s x = a[i * n + k], y = a[best * n + k];\n"
    "            if ((x < 0 ? -x : x) > (y < 0 ? -y : y)) best = i;\n"
    "        }\n"
    "        row[k] = best;\n"
    "        for (int j = 0; j < n && best != k; j++) {\n"
    "            const %s other = a[k * n + j];\n"
    "            a[k * n + j] = a[best * n + j], a[best * n + j] = other;\n"
    "        }\n"
    "        for (int i = k + 1; i < n; i++) {\n"
    "            const %s f = a[i * n + k] /= a[k * n + k];\n"
    "            for (int j = k + 1; j < n; j++) a[i * n + j] -= f * a[k * n + j];\n"
    "        }\n"
    "    }\n"
    "}\n\n"
    "static HAMEL_NOT_INLINE void hamel_solve_general(int n, const %s *a, const int *row, %s *x) "
    "{\n"
    "    for (int k = 0; k < n; k++) {\n"
    "        const %s other = x[k];\n"
    "        x[k] = x[row[k]], x[row[k]] = other;\n"
    "    }\n"
    "    for (int i = 0; i < n; i++)\n"
    "        for (int k = 0; k < i; k++) x[i] -= a[i * n + k] * x[k];\n"
    "    for (int i = n - 1; i >= 0; i--) {\n"
    "        for (int k = i + 1; k < n; k++) x[i] -= a[i * n + k] * x[k];\n"
    "        x[i] /= a[i * n + i];\n"
    "    }\n"
    "}\n"
    "#endif\n\n";

void emit_solver(const scalar_type *as, bool symmetric, text *out) {
    scalar_type_not_inline(out);
    for (const char *c = symmetric ? symmetric_text : general_text; *c; c++) {
        if (c[0] == '%' && c[1] == 's') text_append(out, as->scalar), c++;
        else text_char(out, *c);
    }
}
