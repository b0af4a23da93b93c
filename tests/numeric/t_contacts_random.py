"""Random scenes with contacts against a second simulator: states at many times, and every impact and change of mode.

Discs, boxes, points, motes and balls on planes, belts, posts, shaking floors and one another (_contact_scenes.py); the other side is _rigid_contacts.py, which shares no code with hamel.
"""
import random

from _checks import check, finish, in_time, run_cases, run_seed
from _contact_scenes import FAMILIES, compare, draw_scene, model_text

EACH = run_cases(1, 40)  # scenes of each family
FIRST = run_seed(0)
UNTIL = 1.5
LEAST_CHANGES = 0.6  # of a scene, on average: otherwise nothing is compared


def scenes_agree():
    total = 0
    scenes = 0
    for seed in in_time(range(FIRST, FIRST + EACH)):
        for family in FAMILIES:
            scenes += 1
            scene = draw_scene(random.Random("%s %d" % (family, seed)), family)
            wrong, changes, _ = compare(scene, UNTIL)
            total += changes
            check("%s %d" % (family, seed), not wrong, wrong and wrong + "\n" + model_text(scene, UNTIL, 20))
    check("the scenes change", total > LEAST_CHANGES * scenes, "%d changes" % total)


if __name__ == "__main__":
    scenes_agree()
    finish()
