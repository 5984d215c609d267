# SPDX-License-Identifier: Apache-2.0
"""ME-DOL (Sahinoglu and Shahrampour 2024), in the paper's form and in that of the authors' code."""
import numpy as np

from .cases import CAPPED, SHARP, a9a, set_header
from .method import EpochMethod
from .parts import clip_rows, me_dol_iteration


class Replay(EpochMethod):
    @staticmethod
    def own_cases(form):
        if form.order == "first":
            yield "delta_prime 0", CAPPED | SHARP
            if not form.choice:
                yield from a9a("a9a", {"method.T": 5})

    @staticmethod
    def tamperings(header):
        other = "code" if header["form"] == "paper" else "paper"
        return {"form": set_header("form", other), "D": set_header("D", 0.04), "T": set_header("T", 6)}

    def __init__(self, *words):
        super().__init__(*words)
        self.g = self.zero

    def before_gossip(self, line):
        if self.begins_epoch():
            return self.y
        if self.h["form"] == "code":
            return self.y + self.Delta
        return self.y + clip_rows(self.Delta - self.h["eta"] * self.g, self.h["D"])

    def step(self, line):
        if self.begins_epoch():
            self.Delta = self.g = self.zero
        form = {"paper": self.paper, "code": self.code}[self.h["form"]]
        form(np.array(line["s"])[:, None], line)
        return self.y

    def paper(self, s, line):
        w, self.y, self.Delta, self.g = me_dol_iteration(self.y, self.Delta, self.g, s,
                                                         lambda w: self.estimates_at(w, line),
                                                         self.P, self.h["eta"], self.h["D"])
        self.add_to_mean(w)

    def code(self, s, line):
        w, x = self.y + s * self.Delta, self.y + self.Delta
        self.g = self.estimates_at(w, line)
        self.y = self.P @ x  # the first round, where P changes
        self.Delta = self.P @ clip_rows(self.Delta - self.h["eta"] * self.g, self.h["D"])
        self.add_to_mean(w)
