"""What each form lists, by its definition: for every name that it may list, also those that are 0, the value at a state."""
from _listed import (STEP, cross, determinant, dot, gradient, moved, mpf, slope, solve, times, transposed)


class State:
    """q, t, eta, eta' free; q', q'' on the constraints."""

    def __init__(self, frame, q, eta, etad, t):
        self.frame, self.s, self.q, self.eta, self.etad, self.t = frame, frame.s, q, eta, etad, t
        self.qd = frame.velocity(q, eta, t)
        self.qdd = frame.acceleration(q, eta, etad, t)
        self.b = frame.basis(q, eta, t)

    def project(self, covector):
        return [sum(covector[i] * self.b[i][r] for i in range(self.s.n)) for r in range(self.frame.m)]

    def star(self, f, q=None, eta=None, t=None):
        q, eta, t = q or self.q, eta or self.eta, self.t if t is None else t
        return f(q, self.frame.velocity(q, eta, t), t)


def kinetic_star(x):
    return {"T*": x.s.kinetic(x.q, x.qd, x.t)}


# --- Newton -----------------------------------------------------------------------------------------------------------------------------


def arrays(s, q, t):
    """g, xi, eta, zeta of T18 (13): sums over points"""
    n = s.n
    g, e = [[mpf(0)] * n for _ in range(n)], [[mpf(0)] * n for _ in range(n)]
    xi, zeta = [[[mpf(0)] * n for _ in range(n)] for _ in range(n)], [mpf(0)] * n
    v = s.table(q, [mpf(0)] * n, t)
    for _, mass, functions in s.points:
        for f in functions:
            def x(a, b, f=f):
                return f(s.table(a, [mpf(0)] * n, b))
            d1 = gradient(lambda a: x(a, t), q)
            d2 = [gradient(lambda a, i=i: slope(lambda y: x(moved(a, i, y - a[i]), t), a[i]), q) for i in range(n)]
            dt1 = [slope(lambda b, i=i: slope(lambda y: x(moved(q, i, y - q[i]), b), q[i]), t) for i in range(n)]
            dt2 = slope(lambda b: slope(lambda c: x(q, c), b), t)
            for i in range(n):
                zeta[i] += mass(v) * dt2 * d1[i]
                for j in range(n):
                    g[i][j] += mass(v) * d1[i] * d1[j]
                    e[i][j] += mass(v) * dt1[i] * d1[j]
                    for k in range(n):
                        xi[i][j][k] += mass(v) * d2[i][j] * d1[k]
    return g, xi, e, zeta


def parts_by_degree(x):
    """Of sum_i B_ir N_i at eta' = 0, a polynomial of degree 2 in eta"""
    def at(eta):
        zero = [mpf(0)] * x.frame.m
        qd, qdd = x.frame.velocity(x.q, eta, x.t), x.frame.acceleration(x.q, eta, zero, x.t)
        return x.project(x.s.newton(x.q, qd, qdd, x.t))
    ahead, behind, rest = at(x.eta), at([-e for e in x.eta]), at([mpf(0)] * x.frame.m)
    return [((a + b) / 2 - c, (a - b) / 2, c) for a, b, c in zip(ahead, behind, rest)]


def parts_by_origin(x):
    """D, E, G of T18 (15), each term summed over its own indices"""
    f, s = x.frame, x.s
    g, xi, e, zeta = arrays(s, x.q, x.t)
    by_position = f.by_position(x.q, x.eta, x.t)
    by_time = [slope(lambda t, i=i: f.velocity(x.q, x.eta, t)[i], x.t) for i in f.dependent]
    free, bound, u = f.independent, f.dependent, x.eta
    alpha = [x.qd[i] for i in bound]
    d, linear, rest = [mpf(0)] * s.n, [mpf(0)] * s.n, [mpf(0)] * s.n
    for i in range(s.n):
        d[i] = sum(xi[free[a]][free[b]][i] * u[a] * u[b] for a in range(f.m) for b in range(f.m))
        linear[i] = sum(2 * xi[free[a]][bound[b]][i] * u[a] * alpha[b] for a in range(f.m) for b in range(f.k)) + sum(2 * e[free[a]][i] * u[a] for a in range(f.m))
        linear[i] += sum(g[i][bound[b]] * by_position[bound[b]][free[a]] * u[a] for a in range(f.m) for b in range(f.k))
        rest[i] = sum(xi[bound[a]][bound[b]][i] * alpha[a] * alpha[b] for a in range(f.k) for b in range(f.k)) + sum(2 * e[bound[b]][i] * alpha[b] for b in range(f.k)) + zeta[i]
        rest[i] += sum(g[i][bound[b]] * (by_time[b] + sum(alpha[c] * by_position[bound[b]][bound[c]] for c in range(f.k))) for b in range(f.k))
    return list(zip(x.project(d), x.project(linear), x.project(rest)))


def newton(x, linear):
    s, out = x.s, {}
    mass = x.s.mass_matrix(x.q, x.qd, x.t)
    reduced = times(times(transposed(x.b), mass), x.b)
    for r, part in enumerate(parts_by_degree(x) if linear else parts_by_origin(x)):
        out.update({f"C[{r + 1},{k + 1}]": reduced[r][k] for k in range(x.frame.m)})
        out.update({f"D[{r + 1}]": part[0], f"E[{r + 1}]": part[1], f"G[{r + 1}]": part[2]})
    out.update({f"F*[{r + 1}]": f for r, f in enumerate(x.project(s.active(x.q, x.qd, x.t)))})
    if not s.bodies:
        g, xi, e, zeta = arrays(s, x.q, x.t)
        c = s.coordinates
        out.update({f"g[{c[i]},{c[j]}]": g[i][j] for i in range(s.n) for j in range(i, s.n)})
        out.update({f"xi[{c[i]},{c[j]},{c[k]}]": xi[i][j][k] for i in range(s.n) for j in range(i, s.n) for k in range(s.n)})
        out.update({f"eta[{c[i]},{c[j]}]": e[i][j] for i in range(s.n) for j in range(s.n)})
        out.update({f"zeta[{c[i]}]": zeta[i] for i in range(s.n)})
    return out


def kane(x):
    out, s = {}, x.s
    for name, _, functions in s.masses():
        by_q = transposed([[(a - b) / (2 * STEP) for a, b in zip(s.position(functions, moved(x.q, i, STEP), x.t), s.position(functions, moved(x.q, i, -STEP), x.t))]
                           for i in range(s.n)])
        for c in range(3):
            out.update({f"v({name}).{'xyz'[c]}/{r + 1}": p for r, p in enumerate(x.project(by_q[c]))})
    for body in s.bodies:
        zero = [mpf(0)] * s.n
        offset = s.omega(body, x.q, zero, x.t)
        by_velocity = transposed([[a - b for a, b in zip(s.omega(body, x.q, moved(zero, i, mpf(1)), x.t), offset)] for i in range(s.n)])
        for c in range(3):
            out.update({f"w({body[0]}).{'xyz'[c]}/{r + 1}": p for r, p in enumerate(x.project(by_velocity[c]))})
    return out


def appell(x):
    """Half the sum of m |X''|^2; bodies and stated energies up to terms free of q''"""
    s, value = x.s, mpf(0)
    v = s.table(x.q, x.qd, x.t)

    def acceleration(f):
        return s.rate(lambda q, qd, t: dot(gradient(lambda a: f(s.table(a, qd, t)), q), qd) + slope(lambda b: f(s.table(q, qd, b)), t), x.q, x.qd, x.qdd, x.t)
    for _, mass, functions in s.masses():
        value += mass(v) * sum(acceleration(f) ** 2 for f in functions) / 2
    for body in s.bodies:
        w = s.omega(body, x.q, x.qd, x.t)
        rate = [s.rate(lambda q, qd, t, c=c: s.omega(body, q, qd, t)[c], x.q, x.qd, x.qdd, x.t) for c in range(3)]
        inertia = s.inertia(body)
        value += dot(rate, [dot(row, rate) for row in inertia]) / 2 + dot(rate, cross(w, [dot(row, w) for row in inertia]))
    if s.stated or s.lagrangian_function:
        def stated(q, qd, t):
            table = s.table(q, qd, t)
            return s.lagrangian_function(table) if s.lagrangian_function else sum(f(table) for f in s.kinetic_terms)
        zero = [mpf(0)] * s.n
        value += dot(x.qdd, [a + b for a, b in zip(s.euler(stated, x.q, x.qd, x.qdd, x.t), s.euler(stated, x.q, x.qd, zero, x.t))]) / 2
    return {"S": value}


def gauss(x):
    """q''.(N(q'') + N(0))/2"""
    s, zero = x.s, [mpf(0)] * x.s.n
    ahead, rest = s.euler(s.lagrangian, x.q, x.qd, x.qdd, x.t), s.euler(s.lagrangian, x.q, x.qd, zero, x.t)
    return {"Z": sum(a * (b + c - 2 * f) for a, b, c, f in zip(x.qdd, ahead, rest, s.forces(x.q, x.qd, x.t))) / 2}


def nielsen(x):
    return {"dT/dt": x.s.rate(x.s.kinetic, x.q, x.qd, x.qdd, x.t)}


def volterra(x, stationary):
    out, s, f = kinetic_star(x), x.s, x.frame
    if not stationary:
        return out
    v = s.table(x.q, x.qd, x.t)

    def b(functions, c, q):  # dx'/d eta_r of one Cartesian coordinate
        by_q = gradient(lambda a: functions[c](s.table(a, x.qd, x.t)), q)
        basis = f.basis(q, x.eta, x.t)
        return [sum(by_q[i] * basis[i][r] for i in range(s.n)) for r in range(f.m)]
    for r in range(f.m):
        for u in range(f.m):
            direction = [row[u] for row in x.b]
            for k in range(f.m):
                out[f"c[{r + 1},{u + 1};{k + 1}]"] = mpf(0)
            for _, mass, functions in s.points:
                for c in range(3):
                    def along(h):
                        return b(functions, c, [a + h * d for a, d in zip(x.q, direction)])[r]
                    turning, here = (along(STEP) - along(-STEP)) / (2 * STEP), b(functions, c, x.q)
                    for k in range(f.m):
                        out[f"c[{r + 1},{u + 1};{k + 1}]"] += mass(v) * here[k] * turning
    return out


# --- alpha and its children -------------------------------------------------------------------------------------------------------------


def alpha(x):
    out = {}
    for nu, i in enumerate(x.frame.dependent):
        out[f"alpha[{nu + 1}]"] = x.qd[i]
        out.update({f"dalpha[{nu + 1}]/d{name}": x.b[i][r] for r, name in enumerate(x.frame.names)})
    return out


def affine_alpha(x):
    """alpha_nu,i and alpha_nu,0 (last) as functions of (q, t)"""
    def table(q, t):
        f, zero = x.frame, [mpf(0)] * x.frame.m
        rest = f.velocity(q, zero, t)
        ones = [f.velocity(q, moved(zero, r, mpf(1)), t) for r in range(f.m)]
        return [[ones[r][i] - rest[i] for r in range(f.m)] + [rest[i]] for i in f.dependent]
    return table


def voronec_linear(x):
    out, f, m = {**alpha(x), **kinetic_star(x)}, x.frame, x.frame.m
    a = affine_alpha(x)
    here = a(x.q, x.t)

    def d(nu, i, j):
        return (a(moved(x.q, j, STEP), x.t)[nu][i] - a(moved(x.q, j, -STEP), x.t)[nu][i]) / (2 * STEP)
    for nu in range(f.k):
        for i in range(m):
            for r in range(m + 1):
                b = -d(nu, r, f.independent[i])
                b += d(nu, i, f.independent[r]) if r < m else slope(lambda t: a(x.q, t)[nu][i], x.t)
                b += sum(here[mu][r] * d(nu, i, z) - here[mu][i] * d(nu, r, z) for mu, z in enumerate(f.dependent))
                out[f"beta[{nu + 1};{i + 1},{r + 1 if r < m else 0}]"] = b
    return out


def voronec(x):
    out, f = {**alpha(x), **kinetic_star(x)}, x.frame
    by_position = f.by_position(x.q, x.eta, x.t)
    for i in range(f.m):
        for nu, z in enumerate(f.dependent):
            b = f.rate(lambda q, e, t: f.basis(q, e, t)[z][i], x.q, x.eta, x.etad, x.t) - by_position[z][f.independent[i]]
            out[f"B[{i + 1},{nu + 1}]"] = b - sum(x.b[y][i] * by_position[z][y] for y in f.dependent)
    return out


def chaplygin(x):
    out, f = {**alpha(x), **kinetic_star(x)}, x.frame

    def d(nu, i, j):
        return (f.basis(moved(x.q, j, STEP), x.eta, x.t)[f.dependent[nu]][i] - f.basis(moved(x.q, j, -STEP), x.eta, x.t)[f.dependent[nu]][i]) / (2 * STEP)
    for nu in range(f.k):
        for i in range(f.m):
            for j in range(i + 1, f.m):
                out[f"curl[{nu + 1};{i + 1},{j + 1}]"] = d(nu, i, f.independent[j]) - d(nu, j, f.independent[i])
    return out


# --- linear frames ----------------------------------------------------------------------------------------------------------------------


def frame_kinetic(x, omega):
    """T~ with v = (eta, omega)"""
    v = x.eta + omega
    offset = x.frame.z(x.q, x.t)[1]
    qd = [dot(row, [a - b for a, b in zip(v, offset)]) for row in x.frame.inverse(x.q, x.t)]
    return x.s.kinetic(x.q, qd, x.t)


def hamel(x, omega):
    f, n = x.frame, x.s.n
    out = {"T~": frame_kinetic(x, omega)}
    inverse, (matrix, offset) = f.inverse(x.q, x.t), f.z(x.q, x.t)
    by_q = [tuple(f.z(moved(x.q, k, h), x.t) for h in (STEP, -STEP)) for k in range(n)]
    by_t = [f.z(x.q, x.t + h) for h in (STEP, -STEP)]

    def dz(rho, j, k):  # dZ_rho,j/dq_k
        return (by_q[k][0][0][rho][j] - by_q[k][1][0][rho][j]) / (2 * STEP)

    def d0(rho, j):  # dz_rho/dq_j
        return (by_q[j][0][1][rho] - by_q[j][1][1][rho]) / (2 * STEP)

    def dt(rho, j):
        return (by_t[0][0][rho][j] - by_t[1][0][rho][j]) / (2 * STEP)
    for rho in range(n):
        curl = [[dz(rho, j, k) - dz(rho, k, j) for k in range(n)] for j in range(n)]
        for lam in range(f.m):
            c = [sum(inverse[j][lam] * inverse[k][mu] * curl[j][k] for j in range(n) for k in range(n)) for mu in range(n)]
            out.update({f"c[{rho + 1};{lam + 1},{mu + 1}]": c[mu] for mu in range(lam + 1, n)})
            # so that sum_mu c eta_mu + c[rho;l] is all that stands before dT~/dv_rho
            out[f"c[{rho + 1};{lam + 1}]"] = sum(inverse[j][lam] * (dt(rho, j) - d0(rho, j)) for j in range(n)) - dot(c, offset)
    return out


def poincare(x):
    out, f, c = {}, x.frame, x.s.coordinates
    matrix = f.z(x.q, x.t)[0]
    for s in range(f.m):
        for r in [*range(s + 1, f.m), None]:
            bracket, first = f.bracket(r, s, x.q, x.t), 0 if r is None else r + 1
            out.update({f"[X{first},X{s + 1}].{c[i]}": bracket[i] for i in range(x.s.n)})
            out.update({f"C[{k + 1};{first},{s + 1}]": dot(matrix[k], bracket) for k in range(x.s.n)})
    return out


def talamucci(x):
    out, f, s = {}, x.frame, x.s
    inverse = f.inverse(x.q, x.t)
    for i, c in enumerate(s.coordinates):
        out.update({f"Gamma[{c},{name}]": inverse[i][j] for j, name in enumerate(f.names)})
        out.update({f"Theta[{c},{name}]": inverse[i][f.m + j] for j, name in enumerate(s.constraint_names)})
    reduced = times(times(transposed(x.b), s.mass_matrix(x.q, x.qd, x.t)), x.b)

    def rest(eta):
        qd = f.velocity(x.q, eta, x.t)
        return [a - b for a, b in zip(x.project(s.newton(x.q, qd, f.acceleration(x.q, eta, [mpf(0)] * f.m, x.t), x.t)), x.project(s.active(x.q, qd, x.t)))]
    here, still = rest(x.eta), rest([mpf(0)] * f.m)
    ahead, behind = rest([STEP * e for e in x.eta]), rest([-STEP * e for e in x.eta])
    for r in range(f.m):
        linear = (ahead[r] - behind[r]) / (2 * STEP)
        out.update({f"A[{r + 1},{k + 1}]": reduced[r][k] for k in range(f.m)})
        out.update({f"Q[{r + 1}]": here[r] - still[r] - linear, f"Lambda[{r + 1}]": linear, f"N[{r + 1}]": still[r]})
    return out


# --- Hamilton and Routh -----------------------------------------------------------------------------------------------------------------


def hamilton(x, bracket, cyclic):
    s, f, out = x.s, x.frame, {}
    p = gradient(lambda v: s.lagrangian(x.q, v, x.t), x.qd)
    out.update({f"p[{c}]": a for c, a in zip(s.coordinates, p)})
    out["H"] = dot(p, x.qd) - s.lagrangian(x.q, x.qd, x.t)
    if bracket:
        along = x.project(p)
        out.update({f"p~[{b}]": a for b, a in zip(f.bases, along)})
        out["H~"] = dot(along, x.eta) - s.lagrangian(x.q, x.qd, x.t)
        for r, name in enumerate(f.bases):
            out.update({f"J[{c},p~[{name}]]": x.b[i][r] for i, c in enumerate(s.coordinates)})
            for u in range(r + 1, f.m):
                def field(k, q):
                    return [row[k] for row in f.basis(q, x.eta, x.t)]
                ahead = [[a + h * b for a, b in zip(x.q, field(r, x.q))] for h in (STEP, -STEP)]
                back = [[a + h * b for a, b in zip(x.q, field(u, x.q))] for h in (STEP, -STEP)]
                lie = [(a - b - c + d) / (2 * STEP) for a, b, c, d in zip(field(u, ahead[0]), field(u, ahead[1]), field(r, back[0]), field(r, back[1]))]
                out[f"J[p~[{name}],p~[{f.bases[u]}]]"] = -dot(p, lie)
    if cyclic:
        out.update(routh(x, cyclic))
    return out


def routh(x, cyclic):
    """R = L - sum p_c q'_c with q'_c eliminated; E_i(R) - Q_i at constant p_c"""
    s, out = x.s, {}
    which = [s.coordinates.index(c) for c in cyclic]
    level = [gradient(lambda v: s.lagrangian(x.q, v, x.t), x.qd)[c] for c in which]

    def completed(q, qd, t):
        def momenta(v):  # of a Lagrangian quadratic in the velocities: affine in them
            return [slope(lambda y, c=c: s.lagrangian(q, moved(v, c, y - v[c]), t), v[c]) for c in which]
        qd = [mpf(0) if i in which else a for i, a in enumerate(qd)]
        rest = momenta(qd)
        columns = [[a - b for a, b in zip(momenta(moved(qd, c, mpf(1))), rest)] for c in which]
        for c, a in zip(which, solve(transposed(columns), [a - b for a, b in zip(level, rest)])):
            qd[c] = a
        return qd

    def function(q, qd, t):
        full = completed(q, qd, t)
        return s.lagrangian(q, full, t) - sum(a * full[c] for a, c in zip(level, which))
    out["R"] = function(x.q, x.qd, x.t)
    residual = [a - b for a, b in zip(s.euler(function, x.q, x.qd, x.qdd, x.t), s.forces(x.q, x.qd, x.t))]
    out.update({f"Routh[{c}]": residual[i] for i, c in enumerate(s.coordinates) if i not in which})
    out.update({f"{s.coordinates[c]}'": x.qd[c] for c in which})
    return out


def routh_chaplygin(x, cyclic):
    """u_c = dL/dq'_c; R = L - sum u_c q'_c, R_0 the same with q'_c eliminated: equal where u is what q' makes it"""
    p = gradient(lambda v: x.s.lagrangian(x.q, v, x.t), x.qd)
    value = routh(x, cyclic)["R"]
    return {**{f"u[{c}]": p[x.s.coordinates.index(c)] for c in cyclic}, "R": value, "R_0": value, "R - R_0": mpf(0)}


def lagrange(x, cyclic):
    if not cyclic:
        return {}
    p = gradient(lambda v: x.s.lagrangian(x.q, v, x.t), x.qd)
    return {**routh(x, cyclic), **{f"p[{c}]": p[x.s.coordinates.index(c)] for c in cyclic}}


# --- other mechanics --------------------------------------------------------------------------------------------------------------------


def matrices(x, rows, w, e, weight):
    """W, E(L), A with W A^T = E, G = d(residual_k)/dq''_i for E_k(L) - Q_k - weight * sum_j A_k^j p_j - .."""
    s, n, out = x.s, x.s.n, {}
    lower = [solve(w, column) for column in transposed(e(x.qdd))]  # (W^-1 E)^T = A
    for i in range(n):
        for j in range(n):
            out[f"W[{i + 1},{j + 1}]"], out[f"E[{i + 1},{j + 1}]"], out[f"A[{i + 1},{j + 1}]"] = w[i][j], e(x.qdd)[i][j], lower[i][j]
    out["det W"] = determinant(w)
    p = gradient(lambda v: s.lagrangian(x.q, v, x.t), x.qd)

    def residual(qdd):
        a = [solve(w, column) for column in transposed(e(qdd))]
        return [b - weight * dot(a[k], p) for k, b in enumerate(s.euler(s.lagrangian, x.q, x.qd, qdd, x.t))]
    rest = residual(x.qdd)
    g = [[a - b for a, b in zip(residual(moved(x.qdd, i, mpf(1))), rest)] for i in range(n)]  # affine in q''
    out.update({f"G[{i + 1},{k + 1}]": g[i][k] for i in range(n) for k in range(n)})
    out["det G"] = determinant(g)
    return out


def phi_rows(x, qdd):
    return [x.s.euler(lambda a, b, t, nu=nu: x.s.phi(a, b, t)[nu], x.q, x.qd, qdd, x.t) for nu in range(x.frame.k)]


def a_model(x, case_b):
    """The supplementary functions are the independent coordinates; in case b) the last row is the momentum"""
    s, f = x.s, x.frame
    w = [gradient(lambda v, nu=nu: s.phi(x.q, v, x.t)[nu], x.qd) for nu in range(f.k)]
    w += [[mpf(i == j) for j in range(s.n)] for i in f.independent[:f.m - case_b]]
    if case_b:
        w.append(gradient(lambda v: s.lagrangian(x.q, v, x.t), x.qd))
    return matrices(x, None, w, lambda qdd: phi_rows(x, qdd) + [[mpf(0)] * s.n for _ in range(f.m)], 1)


def explicit_rows(x, qdd):
    """E_k(x'_a - alpha_a(q, y', t)) along the constraints"""
    f = x.frame

    def gap(a):
        return lambda q, qd, t: qd[a] - f.velocity(q, [qd[i] for i in f.independent], t)[a]
    return [x.s.euler(gap(a), x.q, x.qd, qdd, x.t) for a in f.dependent]


def voronets(x, nu):
    s, f = x.s, x.frame
    w = []
    for a in f.dependent:
        row = [mpf(a == j) for j in range(s.n)]
        for r, i in enumerate(f.independent):
            row[i] = -x.b[a][r]
        w.append(row)
    w += [[mpf(i == j) for j in range(s.n)] for i in f.independent]
    return matrices(x, None, w, lambda qdd: explicit_rows(x, qdd) + [[mpf(0)] * s.n for _ in range(f.m)], 1 - nu)


def chaplygin_g(x, away):
    """Off the constraints: x' = Phi + away"""
    s, f, out = x.s, x.frame, alpha(x)
    for a, row in zip(f.dependent, explicit_rows(x, x.qdd)):
        out.update({f"E[{s.coordinates[a]},{s.coordinates[i]}]": row[i] for i in f.independent})
    star = s.lagrangian(x.q, x.qd, x.t)
    qd = list(x.qd)
    for a, h in zip(f.dependent, away):
        qd[a] += h
    p = gradient(lambda v: s.lagrangian(x.q, v, x.t), qd)
    on = gradient(lambda v: s.lagrangian(x.q, v, x.t), x.qd)
    here = s.lagrangian(x.q, qd, x.t)
    out.update({"Gamma": -star, "L~": star, "R": here - sum(p[a] * qd[a] for a in f.dependent), "R_0": star - sum(on[a] * x.qd[a] for a in f.dependent)})
    out["script R"] = here - star - sum(p[a] * h for a, h in zip(f.dependent, away))
    return out


def gaponov(x):
    s = x.s
    out = {"Gamma": s.lagrangian(x.q, x.qd, x.t)}
    for g in s.givens:
        def at(h):
            s.shift[g] = h
            value = s.lagrangian(x.q, x.frame.velocity(x.q, x.eta, x.t), x.t)
            s.shift[g] = 0
            return value
        out[f"dGamma/d{g}"] = slope(at, mpf(0))
    return out


def cartesian(x):
    """v = M^-1 (0, E), sigma = G v, Lambda: i_v d sigma = sum Lambda_j Omega_j, U = |v|^2/2"""
    s, n, zero = x.s, x.s.n, [mpf(0)] * x.s.n

    def forms(q):
        def row(f):
            return [f(s.table(q, moved(zero, j, mpf(1)), x.t)) - f(s.table(q, zero, x.t)) for j in range(n)]
        return [row(f) for f in s.phi_functions] + [row(f) for f, _ in s.forms]

    def field(q):
        table = s.table(q, zero, x.t)
        return solve(forms(q), [mpf(0)] * len(s.phi_functions) + [e(table) for _, e in s.forms])

    def sigma(q):
        return [dot(row, field(q)) for row in s.mass_matrix(q, zero, x.t)]
    v = field(x.q)
    ds = transposed([[(a - b) / (2 * STEP) for a, b in zip(sigma(moved(x.q, j, STEP)), sigma(moved(x.q, j, -STEP)))] for j in range(n)])
    contracted = [sum(v[j] * (ds[k][j] - ds[j][k]) for j in range(n)) for k in range(n)]
    lam = solve(transposed(forms(x.q)), contracted)
    out = {f"v[{c}]": a for c, a in zip(s.coordinates, v)}
    out["U"] = dot(sigma(x.q), v) / 2
    out.update({f"Lambda[{j + 1}]": a for j, a in enumerate(lam)})
    k = len(s.phi_functions)
    if k:
        out.update({f"reaction[{c}]": sum(lam[j] * forms(x.q)[j][i] for j in range(k)) for i, c in enumerate(s.coordinates)})
    return out
