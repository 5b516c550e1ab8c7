"""The end of a calculation at one of its limits."""


class TooLarge(Exception):
    """A limit was reached. The argument says which one."""
