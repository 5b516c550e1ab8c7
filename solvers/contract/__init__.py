"""Contract tests: what every puzzle kind promises, tested by `pytest --kind my_package`.

`plugin` is a pytest plugin, which an installed distribution registers by itself. `brute` answers
questions slowly and plainly, from the rules alone. `boards` makes positions to ask about.
`agreement` compares all answers about a position with each other and with brute force. The messages
of the tests say what to do when they fail.
"""
