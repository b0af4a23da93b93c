"""Random scenes with contacts against a second simulator: states at many times, and every impact and change of mode.

Discs, boxes, points, motes and balls on planes, belts, posts, shaking floors and one another (_contact_scenes.py); the other side is _rigid_contacts.py, which shares no code with hamel.
    t_contacts_random.py [scenes of each family [first seed]]
"""
import random
import sys

from _checks import check, finish
from _contact_scenes import FAMILIES, compare, draw_scene, model_text

EACH = int(sys.argv[1]) if len(sys.argv) > 1 else 3
FIRST = int(sys.argv[2]) if len(sys.argv) > 2 else 0
UNTIL = 1.5
LEAST_CHANGES = 0.6  # of a scene, on average: otherwise nothing is compared


def scenes_agree():
    total = 0
    for family in FAMILIES:
        for seed in range(FIRST, FIRST + EACH):
            scene = draw_scene(random.Random("%s %d" % (family, seed)), family)
            wrong, changes, _ = compare(scene, UNTIL)
            total += changes
            check("%s %d" % (family, seed), not wrong, wrong and wrong + "\n" + model_text(scene, UNTIL, 20))
    check("the scenes change", total > LEAST_CHANGES * EACH * len(FAMILIES), "%d changes" % total)


if __name__ == "__main__":
    scenes_agree()
    finish()
