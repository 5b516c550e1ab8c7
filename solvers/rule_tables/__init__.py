"""Kinds from tables of rules: what teachers make without code. docs/rule-tables.md describes them.

table.py      the table as typed data, and its JSON
boards.py     the board that an author draws, and its text
areas.py      where a rule looks: rows, rooms, the cells around a cell
relations.py  what a rule says of an area, as an automaton
model.py      a table and a board -> the automata of all rules
frontier.py   the exact count of a model, and the solutions with each symbol in each cell
kernels.py    the compiled step of the count
reading.py    the slow reading: whether a finished board obeys the table, from the words alone
"""
