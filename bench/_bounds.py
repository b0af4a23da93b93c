"""A bound of a benchmark: one line for each, which bench/run gathers in its summary."""


def bound(what, figure, limit, unit="", at_least=False):
    """Prints `bound: WHAT: FIGURE UNIT, at most LIMIT: holds` (or `at least`, `MISSED`); true if it holds."""
    holds = figure >= limit if at_least else figure <= limit
    print("bound: %s: %.3g%s, at %s %g: %s" % (what, figure, " " + unit if unit else "", "least" if at_least else "most", limit, "holds" if holds else "MISSED"),
          flush=True)
    return holds
