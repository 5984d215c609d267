# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C: the first ends the run in good order, the second is the user's code's, the third the process's."""
import os
import pathlib
import signal
import subprocess
import sys
import textwrap

import pytest

from harness import taken, wait_until

HEAD = """
import signal, sys, time, threading
signal.signal(signal.SIGINT, signal.default_int_handler)
import doc2s
def distance(i, x):
    return float(abs(x - i).sum())
def tell():  # in one piece, as several threads may
    sys.stdout.write("ready\\n")
    sys.stdout.flush()
def ready(record):
    if record["iteration"] > 0:
        tell()
"""


def started(script):
    process = subprocess.Popen([sys.executable, "-c", HEAD + textwrap.dedent(script)], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    line = process.stdout.readline()
    if line != "ready\n":
        process.kill()
        pytest.fail(f"it said {line!r} and {process.communicate()}")
    return process


def ended(process):
    try:
        out, err = process.communicate(timeout=900)
    except subprocess.TimeoutExpired:
        process.kill()
        pytest.fail(f"it hangs: {process.communicate()}")
    return process.returncode, out, err


def processor_time(process):
    user, system = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def interrupt(process, times=1):
    """Each further one when the one before has been heeded."""
    for _ in range(times - 1):
        process.send_signal(signal.SIGINT)
        wait_until(lambda: taken(process, signal.SIGINT), process)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(timeout=0.5)
    process.send_signal(signal.SIGINT)


def test_the_first_ends_the_run_and_returns_what_there_is(tmp_path):
    process = started(f"""
        kind = dict(clients=4, dimension=3, K=10**6, record_every=1000, out={str(tmp_path / 'run')!r})
        r = doc2s.minimize(distance, callback=ready, **kind)
        print(r.status, len(r.history["iteration"]) > 1, r.summary["iterations"] < 10**6, r.x.shape)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        try:
            signal.raise_signal(signal.SIGINT)
            time.sleep(5)
        except KeyboardInterrupt:
            print("Python's again")
    """)
    interrupt(process)
    code, out, err = ended(process)
    assert code == 0, err
    lines = [line for line in out.splitlines() if line != "ready"]
    assert lines == ["interrupted True True (3,)", "Python's again"]
    assert (tmp_path / "run/summary.json").exists()


def test_a_run_of_a_config():
    process = started("""
        r = doc2s.run({"problem": {"name": "svm"}, "method": {"K": 10**7}}, callback=ready)
        print(r.status)
    """)
    interrupt(process)
    code, out, err = ended(process)
    assert code == 0 and out.splitlines()[-1] == "interrupted", err


SLOW = """
        def slow(i, x):
            if threads_seen:
                tell()
                time.sleep(1000)
            return distance(i, x)
        threads_seen = []
        try:
            doc2s.minimize(slow, clients=4, dimension=3, K=3, threads={threads},
                           callback=lambda record: threads_seen.append(1))
        except KeyboardInterrupt:
            print("interrupted")
"""


def test_the_second_reaches_the_users_code():
    process = started(SLOW.format(threads=1))
    interrupt(process, 2)
    code, out, err = ended(process)
    assert code == 0 and out.splitlines()[-1] == "interrupted", err


def test_the_third_ends_the_process():
    """Python raises KeyboardInterrupt in its main thread alone, and this one waits for the engine's."""
    process = started("""
        def stuck(i, x):
            if threading.current_thread() is not threading.main_thread():
                tell()
                time.sleep(1000)
            return distance(i, x)
        for k in range(1000):
            doc2s.minimize(stuck, clients=8, dimension=50_000, K=3, threads=4)
    """)
    interrupt(process, 3)
    assert ended(process)[0] == -signal.SIGINT


def test_handlers_of_the_user_are_left_alone():
    process = started("""
        heard = []
        signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
        r = doc2s.minimize(distance, clients=4, dimension=3, K=10**7, record_every=1000,
                           callback=lambda record: ready(record) if not heard else False)
        print(r.status, len(heard))
    """)
    interrupt(process)
    code, out, err = ended(process)
    assert code == 0 and out.splitlines()[-1] == "interrupted 1", err


def test_a_sweep_raises(tmp_path):
    process = started(f"""
        try:
            doc2s.sweep({{"problem": {{"name": "svm"}}, "method": {{"K": 500}}}}, {{"seed": list(range(500))}},
                        out={str(tmp_path / 'sweep')!r}, news=lambda news: tell())
        except KeyboardInterrupt:
            print("interrupted")
    """)
    interrupt(process)
    code, out, err = ended(process)
    assert code == 0 and out.splitlines()[-1] == "interrupted", err


def test_while_a_large_network_is_made_it_is_raised():
    process = started("""
        tell()
        config = {"problem": {"size": 100000, "dimension": 2}, "clients": {"count": 100000}, "network": {"graph": "erdos-renyi"}}
        try:
            doc2s.run(config)
        except KeyboardInterrupt as stop:
            print(stop)
    """)
    before = processor_time(process)
    wait_until(lambda: processor_time(process) > before + 1, process)  # it is at it
    interrupt(process)
    code, out, err = ended(process)
    assert (code, err) == (0, "") and out.startswith("interrupted while"), (code, out, err)
