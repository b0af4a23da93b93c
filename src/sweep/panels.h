// When a part of a step, a panel, tells enough of a quantity E that is collected along it, and what
// its integral is: the rule of system.h, in plain C that knows E only by its values. It is compiled
// here and given as text to what collects on a GPU, with numbers of its own (PANEL_NUMBER,
// PANEL_RULE); lanes/collect.c has the same in vectors.
#ifndef HAMEL_SWEEP_PANELS_H
#define HAMEL_SWEEP_PANELS_H

#ifndef PANEL_RULE
#define PANEL_NUMBER double
#define PANEL_RULE static inline
#define PANEL_TABLE static const
#define PANEL_ROUNDING 0x1p-46 // what tolerances below it become
#endif
typedef PANEL_NUMBER panel_number;

enum {
    PANEL_LOOKS = 6,    // parts of a panel, at whose ends one looks for extremes
    PANEL_NODES = 13,   // of the rule for means
    PANELS_OF_RUN = 16, // no panel is longer than such a part of the run
    // How often panels of one quantity are divided: so often, and so often more for each step; and
    // a panel is no shorter than 2^-PANEL_DEEPEST of its step
    PANEL_SPLITS = 4096,
    PANEL_SPLITS_A_STEP = 16,
    PANEL_DEEPEST = 32
};
// How exactly E is known: it is asked for once more so far from the middle of a panel, in its width
#define PANEL_NUDGE 0x1p-40

PANEL_RULE panel_number panel_size(panel_number x) { return x < 0 ? -x : x; }
PANEL_RULE panel_number panel_larger(panel_number a, panel_number b) { return a > b ? a : b; }

// The part of the largest |E| that does not matter
PANEL_RULE panel_number panel_part(panel_number tolerance) {
    return panel_larger(tolerance, (panel_number)PANEL_ROUNDING);
}

// --- extremes ------------------------------------------------------------------------------------

// e: E at 0, 1/6 .. 1 of the panel. How far E is from the cubic through every other of these
// values, the largest of three: what may go on between them unseen is taken for a few times that.
PANEL_RULE panel_number panel_gap(const panel_number *e) {
    const panel_number a = e[1] - (5 * (e[0] + 3 * e[2] - e[4]) + e[6]) / 16,
                       b = e[3] - (9 * (e[2] + e[4]) - (e[0] + e[6])) / 16,
                       c = e[5] - (5 * (e[6] + 3 * e[4] - e[2]) + e[0]) / 16;
    return panel_larger(panel_larger(panel_size(a), panel_size(b)), panel_size(c));
}

// Second difference at place i, at the ends of the panel that of the next place
PANEL_RULE panel_number panel_bend(const panel_number *e, int i) {
    const int j = i < 1 ? 1 : i > PANEL_LOOKS - 1 ? PANEL_LOOKS - 1 : i;
    return e[j - 1] - 2 * e[j] + e[j + 1];
}

enum { PANEL_LOW, PANEL_EVEN, PANEL_TURNS, PANEL_UNSURE };

// Between the places i and i + 1 E has no value that is larger than `best` by more than `little`
// (low), or none that is larger than those at both places, as it rises or falls throughout or is
// bent upwards throughout (even), at most one (turns: it is bent downwards throughout), or that
// cannot be said.
PANEL_RULE int panel_between(const panel_number *e, int i, panel_number gap, panel_number best,
                             panel_number little) {
    const panel_number rise = e[i + 1] - e[i], left = panel_bend(e, i),
                       right = panel_bend(e, i + 1), margin = 4 * gap,
                       bend = panel_larger(panel_size(left), panel_size(right)),
                       top = panel_larger(e[i], e[i + 1]) + bend / 8 + 2 * margin;
    if (!(top > best + little)) return PANEL_LOW; // also where E is no number
    if (left <= -margin && right <= -margin) return PANEL_TURNS;
    if (panel_size(rise) >= bend / 2 + margin || (left >= margin && right >= margin))
        return PANEL_EVEN;
    return PANEL_UNSURE;
}

// The parts of a panel in which a larger value than `best` may be, as bits; `unsure`: and where
// there may be more than one
PANEL_RULE unsigned panel_turns(const panel_number *e, panel_number best, panel_number little,
                                unsigned *unsure) {
    const panel_number gap = panel_gap(e);
    unsigned turns = 0;
    *unsure = 0;
    for (int i = 0; i < PANEL_LOOKS; i++) {
        const int seen = panel_between(e, i, gap, best, little);
        const int at_end = i == 0 || i == PANEL_LOOKS - 1; // nothing is known of what is behind
        turns |= (unsigned)(seen > PANEL_EVEN || (at_end && seen == PANEL_EVEN)) << i;
        *unsure |= (unsigned)(seen == PANEL_UNSURE) << i;
    }
    return turns;
}

// Does an event function cross 0 in a panel as often as its signs at the places say? Where it does
// not change its sign, -|e| has no value above 0; where it does, it rises or falls throughout.
PANEL_RULE int panel_counts(const panel_number *e, panel_number little) {
    const panel_number gap = panel_gap(e);
    for (int i = 0; i < PANEL_LOOKS; i++) {
        panel_number f[PANEL_LOOKS + 1];
        const int above = e[i] > 0 || (e[i] == 0 && e[i + 1] > 0),
                  crosses = (e[i] > 0 && e[i + 1] < 0) || (e[i] < 0 && e[i + 1] > 0);
        for (int j = 0; j <= PANEL_LOOKS; j++) f[j] = above ? -e[j] : e[j];
        const int seen = panel_between(f, i, gap, 0, little);
        if (seen == PANEL_UNSURE || (seen == PANEL_TURNS && !crosses)) return 0;
    }
    return 1;
}

// --- means ---------------------------------------------------------------------------------------

// Lobatto's rule on [0, 1] with four nodes, extended by Kronrod to seven and again to thirteen: the
// rule with all of them is right for polynomials of degree 19, the one with every other of them for
// degree 9. Both ends are among the nodes, so that no jump escapes them.
PANEL_TABLE panel_number panel_node[PANEL_NODES] = {0,
                                                    (panel_number)0.0285587921522601405,
                                                    (panel_number)0.0917517095361369836,
                                                    (panel_number)0.179073328827109347,
                                                    (panel_number)0.27639320225002103,
                                                    (panel_number)0.38180840016892506,
                                                    (panel_number)0.5,
                                                    (panel_number)0.61819159983107494,
                                                    (panel_number)0.72360679774997897,
                                                    (panel_number)0.820926671172890653,
                                                    (panel_number)0.908248290463863016,
                                                    (panel_number)0.97144120784773986,
                                                    1};
PANEL_TABLE panel_number panel_fine[PANEL_NODES] = {
    (panel_number)0.00791359598674009154, (panel_number)0.0471369201094250228,
    (panel_number)0.0775359936682926981,  (panel_number)0.0944107869800912272,
    (panel_number)0.0998867026134292634,  (panel_number)0.112463232666669764,
    (panel_number)0.121305535950703867,   (panel_number)0.112463232666669764,
    (panel_number)0.0998867026134292634,  (panel_number)0.0944107869800912272,
    (panel_number)0.0775359936682926981,  (panel_number)0.0471369201094250228,
    (panel_number)0.00791359598674009154};
PANEL_TABLE panel_number panel_coarse[PANEL_NODES] = {
    (panel_number)0.0261904761904761905, 0, (panel_number)0.146938775510204082, 0,
    (panel_number)0.212585034013605442,  0, (panel_number)0.228571428571428571, 0,
    (panel_number)0.212585034013605442,  0, (panel_number)0.146938775510204082, 0,
    (panel_number)0.0261904761904761905};

// 0 for polynomials of degree 10, and of the other symmetry than the difference of the two rules:
// a kink that the one does not see is seen by the other
PANEL_TABLE panel_number panel_odd[PANEL_NODES] = {(panel_number)-0.0253135306765032332,
                                                   (panel_number)0.0652686954090480261,
                                                   (panel_number)-0.0946583106671455917,
                                                   (panel_number)0.12014211167822561,
                                                   (panel_number)-0.11832979939666693,
                                                   (panel_number)0.071350635857265643,
                                                   0,
                                                   (panel_number)-0.071350635857265643,
                                                   (panel_number)0.11832979939666693,
                                                   (panel_number)-0.12014211167822561,
                                                   (panel_number)0.0946583106671455917,
                                                   (panel_number)-0.0652686954090480261,
                                                   (panel_number)0.0253135306765032332};

// Is the mean over a panel of this width, in parts of the step, known to `little` over the step?
// off: the difference of the two rules; noise: how exactly E is known. Also where they are no
// numbers: they will not become any
PANEL_RULE int panel_agrees(panel_number off, panel_number odd, panel_number width,
                            panel_number little, panel_number noise) {
    return !(width * panel_larger(panel_size(odd), panel_size(off)) > little + 4 * width * noise);
}

#endif
