"""The scenes of t_contacts_random, many of them."""
import sys

sys.argv[1:] = sys.argv[1:] or ["40", "1000"]
from t_contacts_random import finish, scenes_agree  # noqa: E402

scenes_agree()
finish()
