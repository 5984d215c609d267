# SPDX-License-Identifier: Apache-2.0
"""The methods that the program lists, each in all its forms, for the tests that every method must pass.

Nobody edits this file for a new method: `doc2s list methods --json` names it. Its options of the usual names get small values, and
run.budget.iterations ends it where it has none of them. Forms beside the choices that it lists are in its replay (further_forms).
"""
import json
import subprocess
from dataclasses import dataclass

import harness
from replay.trace import replay_of

COMMON = {"label", "delta_prime", "directions"}  # of every method
NO_FORM = {"order", "parameters", "constants", "rounds_rule"}  # but the first: where values come from (theorem_test.py, commands/plan_test.py)


@dataclass(frozen=True)
class Form:
    """A method with an order and what is not the fallback of its options, e.g. form = "code"."""
    method: str
    order: str
    choice: tuple  # (option, value), …
    options: frozenset  # names of all its own options

    @property
    def title(self):
        words = [value if isinstance(value, str) else f"{option} {value}" for option, value in self.choice]
        return " ".join([self.method, self.order, *words])

    @property
    def takes_changes(self):
        """Whether it runs on networks that change."""
        return ("gossip", "chebyshev-interval") not in self.choice

    def values(self, **wanted):
        """Of the wanted values those that the method has an option for, with what makes this form."""
        own = {name: value for name, value in wanted.items() if name in self.options | COMMON}
        return own | {"name": self.method, "order": self.order} | dict(self.choice)

    def table(self, head="[method]", **wanted):
        lines = [f"{name} = {json.dumps(value)}" for name, value in self.values(**wanted).items()]
        return "\n".join([head, *lines]) + "\n"


def listed():
    """Of each method what the program says of it."""
    words = [harness.PROGRAM, "list", "methods", "--json"]
    found = harness.strict_json(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
    assert found, "the program lists no method"
    return found


def choices(method, clients):
    yield ()
    for option in method["options"]:
        if option["name"] not in NO_FORM:
            yield from (((option["name"], choice),) for choice in option["choices"] if choice != option["fallback"])
    yield from (tuple(form.items()) for form in replay_of(method["name"]).further_forms(clients))


def forms(clients):
    """All forms for so many clients."""
    return [Form(method["name"], order, choice, frozenset(option["name"] for option in method["options"]))
            for method in listed() for order in method["orders"] for choice in choices(method, clients)]


def few_forms(clients):
    """All orders, each with the fallbacks, and every choice in the method's first order."""
    first = {method["name"]: method["orders"][0] for method in listed()}
    return [form for form in forms(clients) if not form.choice or form.order == first[form.method]]


def comparison(few, **wanted):
    """Every form as a [[method]] of one config."""
    return "".join(form.table("[[method]]", label=form.title, **wanted) for form in few)
