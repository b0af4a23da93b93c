"""The random features of t_narrow, many of them."""
import os

os.environ.setdefault("HAMEL_NARROW", "400")
os.environ.setdefault("HAMEL_SEED", "7000000")
from t_narrow import finish, quotients_far_from_zero_keep_their_digits, random_features_are_found_or_told  # noqa: E402

random_features_are_found_or_told()
quotients_far_from_zero_keep_their_digits()
finish()
