# SPDX-License-Identifier: Apache-2.0
"""Runs of the program, in folders that hold what it takes to make them longer."""
import json
import shutil
import signal
import subprocess
from pathlib import Path

ENDLESS = {"method.K": 10**6, "method.iterations": 10**9}  # a run's length is its budget
COLUMNS = ("iteration", "samples", "computation_rounds", "communication_rounds", "bytes", "loss_mean_point", "loss_worst", "accuracy",
           "consensus")


class Runs:
    def __init__(self, program, folder):
        self.program, self.folder = str(program), Path(folder)
        self.process, self.stopped = None, False
        for signal_number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(signal_number, self.stop)

    def make(self, name, config, settings, stages):
        """The run after each stage (its last iteration, iterations from record to record) in turn; those behind it are not made again."""
        folder = self.folder / name
        for end, every in stages:
            if self.iterations(folder) < end:
                self.go_on(folder, config, settings, end, every)
        return self.read(folder, settings)

    def iterations(self, folder):
        """How far the run has got; one that was interrupted has not ended where it stands."""
        summary = folder / "summary.json"
        read = json.loads(summary.read_text()) if summary.exists() else {"status": "absent"}
        return {"finished": read.get("iterations"), "interrupted": read.get("iterations", 0) - 1, "diverged": 10**18}.get(read["status"], -1)

    def go_on(self, folder, config, settings, end, every):
        length = {"run.budget.iterations": end, "run.record_every": every}
        started = (folder / "config.toml").exists()
        words = ["--resume", folder] if started else [config, "--out", folder, "--force", "--checkpoint-every", 10**9]
        code = self.call(words, length if started else {**settings, **length})
        if code != 0 and not (folder / "summary.json").exists() or code not in (0, 3):
            raise SystemExit(f"lab: the run in {folder} ended with exit code {code}")

    def call(self, words, settings):
        changes = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
        command = [self.program, "run", *map(str, words), *changes, "--set", "run.threads=1", "--quiet"]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, process_group=0)  # Ctrl-C is for stop
        if self.stopped:
            self.process.terminate()
        code = self.process.wait()
        if self.stopped:
            raise KeyboardInterrupt
        return code

    def stop(self, *_):
        """What Ctrl-C and SIGTERM do: the run under way leaves a checkpoint."""
        self.stopped = True
        if self.process:
            self.process.terminate()

    def read(self, folder, settings):
        summary = json.loads((folder / "summary.json").read_text())
        records = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
        columns = {key: [shortened(record.get(key)) for record in records] for key in COLUMNS if key in records[-1]}
        keys = ("iterations", "status", "trajectory", "version", "kernels")
        return {"set": settings, **{key: summary[key] for key in keys}, "seconds": round(summary["seconds"], 1), "records": columns}

    def forget(self, name):
        shutil.rmtree(self.folder / name, ignore_errors=True)


def shortened(value):
    return float(f"{value:.5g}") if isinstance(value, float) else value
