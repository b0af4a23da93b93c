"""Pygments' lexer of models of hamel, for minted in LaTeX: \\begin{minted}{hamel_lexer.py:HamelLexer -x}."""
from pygments.lexer import RegexLexer, bygroups, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text

# words: tools/editor-words writes these
STATEMENTS = (
    "body", "cartesian", "claim", "collect", "const", "constraint", "contact", "coord", "dissipation",
    "draw", "event", "every", "for", "force", "function", "given", "gravity", "guess", "include",
    "independent", "initial", "input", "invariant", "kinetic", "lagrangian", "let", "observe",
    "orientation", "param", "point", "potential", "quasi", "roll", "samples", "simulate",
    "supplementary", "sweep", "system", "torque", "touch", "when",
)
CLAUSES = (
    "against", "along", "as", "at", "box", "by", "classical", "column", "count", "curve", "disk",
    "down", "ellipsoid", "final", "first", "form", "friction", "from", "gap", "in", "inertia", "inside",
    "latin", "line", "linear", "mass", "max", "mean", "method", "min", "moving", "normal", "of", "on",
    "output", "place", "random", "restitution", "rotation", "seed", "sobol", "solution", "sphere",
    "stop", "tangent", "tol", "trail", "under", "uniform", "up", "with",
)
FUNCTIONS = (
    "abs", "acc", "acos", "asin", "atan", "atan2", "cos", "cosh", "cross", "ddt", "delta", "diff",
    "dot", "exp", "frame", "inertia", "lambda", "log", "max", "min", "momentum", "norm", "omega", "pos",
    "prod", "quantity", "quat", "reaction", "rot", "sign", "sin", "sinh", "sqrt", "sum", "tan", "tanh",
    "transpose", "vel", "velat",
)
CONSTANTS = (
    "e", "pi", "t",
)
# end of words

LETTER = "A-Za-z\u0370-\u03ff\u00b5"


def word(names):
    return words(names, prefix=rf"(?<![{LETTER}0-9_.'])", suffix=rf"(?![{LETTER}0-9_'])")


class HamelLexer(RegexLexer):
    """Models of nonholonomic mechanics."""

    name = "hamel"
    aliases = ["hamel"]
    filenames = ["*.ham"]
    mimetypes = ["text/x-hamel"]
    tokens = {
        "root": [
            (rf"(?m)^([ \t]*)({'|'.join(STATEMENTS)})(?![{LETTER}0-9_'])(?![ \t]*=)", bygroups(Text, Keyword)),
            (rf"([{{}}])([ \t]*)({'|'.join(STATEMENTS)})(?![{LETTER}0-9_'])(?![ \t]*=)", bygroups(Punctuation, Text, Keyword)),
            (r"\n", Text),
            (r"[^\S\n]+", Text),
            (r"#.*$", Comment.Single),
            (r'"[^"\n]*"', String.Double),
            (r"[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+", Number.Float),
            (r"[0-9]+", Number.Integer),
            (rf"(?:{'|'.join(FUNCTIONS)})(?=\s*\()", Name.Builtin),
            (word(CLAUSES), Keyword.Type),
            (word(CONSTANTS), Name.Constant),
            (rf"[{LETTER}][{LETTER}0-9_]*", Name.Variable),
            (r"['\u2032\u2033]+", Operator.Word),
            (r"\.\.|[-+*/^=]", Operator),
            (r"[()\[\]{},:.]", Punctuation),
        ]
    }
