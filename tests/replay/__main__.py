# SPDX-License-Identifier: Apache-2.0
"""Replays a trace on the capped-l1 SVM and compares every number with its own.

python3 tests/replay TRACE [--data FILE] [--run DIR] [--follow]     exits 1 where something differs, 2 where it cannot replay

Written from the listings of the methods (one file a method) and the definition of the trace; it shares nothing with
the program. From the trace it takes only what chance decided (client, s, batch rows, z) and does the rest in float64,
with dense n x d gossip.

What is compared (largest relative error, ||mine - theirs|| / ||theirs||), and how close it must be:
  g, y_mean   each iteration. With --run also output.npy, last.npy, the losses, the consensus error, and all counts.
  float64     1e-10. The replay goes on with its own g, so that nothing of the trace's results enters; --follow takes
              the trace's g once it is compared, for a zeroth-order run with a large d/mu (see below).
  float32     1e-5: 2^-24 = 6e-8 a rounding, some dozens of them in a coordinate's way through the run. Always with
              --follow, so that each estimate is judged alone.
  zeroth      g = (d/2 mu)(F+ - F-) z magnifies the rounding of F by d/(2 mu), however small the difference. So its
              error is taken relative to max(||g||, a (d/2 mu) S), S the size of the terms that F adds up. With
              a = 1e-3 for float64 and 1/20 for float32 this allows errors of 1e-13 and 5e-7 of S.
  sums        in float32, where terms, a point and its step, or rows mixed by gossip cancel to less than a tenth, the error is taken relative to a tenth of
              the terms: 7 digits are kept of these, not of what is left.
  kinks       a hinge or a penalty closer to its kink than the tolerance may fall to either side: there the trace's
              choice is allowed and adopted. The report says how many estimates this touched.
"""
import argparse
import sys
from pathlib import Path

sys.dont_write_bytecode = True  # the source tree stays clean
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from replay.parts import CannotReplay
from replay.trace import replay_trace


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("trace")
    parser.add_argument("--data", help="the LIBSVM file, where it is no longer at the trace's path")
    parser.add_argument("--run", help="the run's directory, to check its files too")
    parser.add_argument("--follow", action="store_true", help="go on with the g of the trace once it is compared")
    words = parser.parse_args()
    try:
        verdict = replay_trace(words.trace, words.data, words.run, words.follow).verdict
    except CannotReplay as error:
        print(f"replay: {error}", file=sys.stderr)
        return 2
    print(verdict.table())
    return 0 if verdict.passed() else 1


if __name__ == "__main__":
    sys.exit(main())
