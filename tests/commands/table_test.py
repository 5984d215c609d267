#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ordinary tables from CSV files to predictions, held against NumPy: python3 table_test.py PROGRAM [TEST…]."""
import json
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from harness import Case, Run, sets
from table_case import (CLIENTS, FEATURES, IN_ORDER, config_text, features_and_targets, mlp_outputs, preprocessing_of, read_csv,
                        rows_of, table_text, write_sites)

CLASSES = 'name = "mlp"\nhidden = [6]'
NUMBERS = 'name = "mlp"\nhidden = []\ntarget = "number"\nloss = "huber"\nhuber_delta = 5'


class TableCase(Case):
    def trained(self, target="class", problem=CLASSES, *words):
        write_sites(self, target)
        self.write("table.toml", config_text(self, problem))
        return self.run_config("table.toml", *words)

    def predict(self, run, data, *words, **more):
        return self.doc2s("predict", run.directory, data, *words, **more)

    def predicted(self, run, data, *words):
        answer = self.predict(run, data, "-o", "made.csv", "--force", "--json", *words)
        return read_csv(self.home / "made.csv"), json.loads(answer.out)


class Tables(TableCase):
    def test_scaling_is_that_of_all_sites_together(self):
        run = self.trained()
        how = preprocessing_of(run)
        everything = np.concatenate([rows_of(client, 20 + 4 * client, seed=1)[0] for client in range(CLIENTS)])
        self.assertEqual(how["columns"], FEATURES)
        self.assertEqual(how["classes"], IN_ORDER)
        self.assertEqual(how["label"], "class")
        np.testing.assert_allclose(how["mean"], everything.mean(axis=0), rtol=1e-12)
        np.testing.assert_allclose(how["deviation"][:3], everything.std(axis=0)[:3], rtol=1e-12)
        self.assertEqual((how["mean"][3], how["deviation"][3]), (3, 1))

    def test_classes_from_the_files_alone(self):
        for precision, tolerance in (("float64", 1e-9), ("float32", 1e-5)):
            run = self.trained("class", CLASSES, *sets(precision=precision))
            how = preprocessing_of(run)
            a, truth = features_and_targets(self.home / "test.csv", how)
            z = mlp_outputs(a, [6], 3, run.numbers("last.npy").astype(float))
            best = z.argmax(axis=1)
            chances = np.exp(z - z.max(axis=1, keepdims=True))
            chances = (chances / chances.sum(axis=1, keepdims=True)).max(axis=1)
            made, said = self.predicted(run, "test.csv")
            self.assertEqual([row["prediction"] for row in made], [IN_ORDER[k] for k in best])
            self.assertEqual([row["truth"] for row in made], [IN_ORDER[k] for k in truth])
            self.assertEqual([row["row"] for row in made], [str(k + 1) for k in range(len(truth))])
            np.testing.assert_allclose([float(row["score"]) for row in made], chances, rtol=tolerance)
            self.assertEqual(said["accuracy"], (best == truth).mean())
            self.assertGreater(said["accuracy"], 0.8)  # it has learned something
            self.assertEqual(said["rows"], len(truth))

    def test_numbers_from_the_files_alone(self):
        run = self.trained("number", NUMBERS, *sets(method__K=60, method__eta=0.5, method__D=8))
        how = preprocessing_of(run)
        a, truth = features_and_targets(self.home / "test.csv", how)
        z = mlp_outputs(a, [], 1, run.numbers("last.npy"))[:, 0]
        made, said = self.predicted(run, "test.csv")
        np.testing.assert_allclose([float(row["prediction"]) for row in made], z, rtol=1e-9)
        np.testing.assert_allclose([float(row["truth"]) for row in made], truth)
        self.assertAlmostEqual(said["rmse"], np.sqrt(np.mean((z - truth) ** 2)), delta=1e-6)
        self.assertAlmostEqual(said["mae"], np.mean(np.abs(z - truth)), delta=1e-6)
        self.assertLess(said["rmse"], 0.5 * truth.std())
        self.assertNotIn("accuracy", run.summary)
        self.assertGreater(run.summary["test_rmse"], 0)

    def test_the_output_of_one_client(self):
        run = self.trained("number", NUMBERS)
        how = preprocessing_of(run)
        outputs = run.numbers("output.npy")
        self.assertEqual(outputs.shape, (CLIENTS, len(FEATURES) + 1))
        a, truth = features_and_targets(self.home / "test.csv", how)
        for client in (0, 3):
            made, said = self.predicted(run, "test.csv", "--client", client)
            z = mlp_outputs(a, [], 1, outputs[client])[:, 0]
            np.testing.assert_allclose([float(row["prediction"]) for row in made], z, rtol=1e-9)
            self.assertAlmostEqual(said["rmse"], np.sqrt(np.mean((z - truth) ** 2)), delta=1e-6)

    def test_the_accuracy_of_the_summary_is_that_of_predict(self):
        run = self.trained("class", CLASSES, *sets(method__name="dsgd", method__iterations=80))
        _, said = self.predicted(run, "test.csv")  # the last iterate's mean is last.npy
        self.assertEqual(said["accuracy"], run.summary["accuracy"])

    def test_one_common_file_is_partitioned(self):
        a, _, kind = rows_of(0, 60, seed=1)
        self.write("all.csv", table_text(a, kind, "class"))
        self.write("table.toml", config_text(self, CLASSES))
        words = sets(problem__data=f'"{self.home}/all.csv"', problem__test=f'"{self.home}/all.csv"')
        hashes = {partition: self.run_config("table.toml", *words, *sets(clients__partition=partition)).trajectory
                  for partition in ("iid", "sorted", "dirichlet")}
        self.assertEqual(len(set(hashes.values())), 3)

    def test_files_of_other_kinds_give_the_same_run(self):
        a, number, _ = rows_of(0, 60, seed=1)
        self.write("all.csv", table_text(a, number.tolist(), "number"))
        np.save(self.home / "all.npy", np.column_stack([number, a]))
        np.savez(self.home / "all.npz", x=a, y=number)
        self.write("all.svm", "".join(f"{number[k]!r} " + " ".join(f"{j + 1}:{a[k, j]!r}" for j in range(4)) + "\n"
                                      for k in range(60)))
        self.write("table.toml", config_text(self, NUMBERS))
        hashes = []
        for name, more in (("all.csv", {}), ("all.npy", {"problem__label": 1}), ("all.npz", {}), ("all.svm", {})):
            path = f'"{self.home}/{name}"'
            run = self.run_config("table.toml", *sets(problem__data=path, problem__test=path, **more))
            hashes.append((run.trajectory, run.summary["test_rmse"]))
        self.assertEqual(len(set(hashes)), 1, hashes)

    def test_an_svm_on_a_table(self):
        for client in range(CLIENTS):
            a, number, _ = rows_of(client, 20, seed=1)
            self.write(f"site-{client}.csv", table_text(a, np.where(number > 100, "ill", "healthy"), "state"))
        self.write("test.csv", (self.home / "site-2.csv").read_text())
        self.write("table.toml", config_text(self, 'name = "svm"'))
        answer = self.doc2s("run", "table.toml", "--out", "svm")
        self.assertIn('the class "healthy" counts as -1 and "ill" as +1', answer.err)
        run = Run(self.home / "svm", answer)
        how = preprocessing_of(run)
        a, truth = features_and_targets(self.home / "test.csv", how)
        z = a @ run.numbers("last.npy")
        made, said = self.predicted(run, "test.csv")
        self.assertEqual([row["prediction"] for row in made], np.where(z > 0, "ill", "healthy").tolist())
        np.testing.assert_allclose([float(row["score"]) for row in made], np.abs(z), rtol=1e-9)
        self.assertEqual(said["accuracy"], ((z > 0) == truth).mean())

    def test_predictions_for_the_data_of_old(self):
        run = self.small()  # an SVM on synthetic data
        self.write("new.svm", "+1 1:1 3:-0.5\n-1 2:2\n")
        made, said = self.predicted(run, "new.svm")
        x = run.numbers("last.npy")
        z = [x[0] - 0.5 * x[2], 2 * x[1]]
        self.assertEqual([row["prediction"] for row in made], ["1" if one > 0 else "-1" for one in z])
        self.assertEqual(said["accuracy"], ((np.array(z) > 0) == [True, False]).mean())
        self.refused("predict", run.directory, self.write("wide.svm", "+1 9:1\n"), "-o", "p.csv", says=["wide.svm", "9", "5"])

    def test_predictions_without_targets_and_in_another_order(self):
        run = self.trained()
        whole, _ = self.predicted(run, "test.csv")
        a, _, kind = (np.concatenate(part) for part in zip(*(rows_of(client, 15, seed=2) for client in range(CLIENTS))))
        self.write("plain.csv", table_text(a[:, ::-1], None, None, FEATURES[::-1]))
        plain, said = self.predicted(run, "plain.csv")
        self.assertEqual([(row["prediction"], row["score"]) for row in plain],
                         [(row["prediction"], row["score"]) for row in whole])
        self.assertNotIn("truth", plain[0])
        self.assertNotIn("accuracy", said)

    def test_a_resumed_run_is_the_same(self):
        whole = self.trained()
        part = self.run_config("table.toml", "--checkpoint-every", 20, *sets(run__budget__iterations=60))
        (part.directory / "preprocessing.json").unlink()
        self.doc2s("run", "--resume", part.directory, "--quiet", *sets(run__budget__iterations=1000))
        self.assertEqual(Run(part.directory, None).trajectory, whole.trajectory)
        self.assertEqual(Run(part.directory, None).text("preprocessing.json"), whole.text("preprocessing.json"))
        again = self.run_config(whole.directory / "config.toml")
        self.assertEqual(again.trajectory, whole.trajectory)


class Raw(TableCase):
    """Four files as hospitals send them: no header, names of their own, gaps."""

    def setUp(self):
        super().setUp()
        chance = np.random.default_rng(3)
        self.rows = {}
        for name, count in (("north", 30), ("south", 24), ("east", 26), ("west", 40)):
            a = chance.normal(size=(count, 3)).round(3)
            y = (a.sum(1) > 0).astype(int)
            gaps = chance.random(a.shape) < 0.1
            self.rows[name] = [["?" if gap else str(v) for v, gap in zip(row, hole)] + [str(t)]
                               for row, hole, t in zip(a.tolist(), gaps, y)]
            self.write(f"{name}.csv", "".join(",".join(row) + "\n" for row in self.rows[name]))
        self.write("raw.toml", 'problem.name = "mlp"\nproblem.hidden = [4]\nproblem.data = ["north.csv", "south.csv", "east.csv", '
                               '"west.csv"]\nmethod.K = 2\nmethod.T = 50\n')

    def test_files_by_name_without_gaps(self):
        self.refused("run", "raw.toml", "--out", "o", listed=True, says=["north.csv:", "west.csv:", "and", "more like it"])
        kept = {name: [row for row in rows if "?" not in row] for name, rows in self.rows.items()}
        self.write("o.toml", (self.home / "raw.toml").read_text() + 'problem.missing = "drop"\n')
        answer = self.doc2s("run", "o.toml", "--out", "dropped", "--trace", "t.jsonl")
        out = sum(len(rows) for rows in self.rows.values()) - sum(map(len, kept.values()))
        self.assertIn(f'problem.missing = "drop" leaves {out} of 120 rows out; most of one column, ', answer.err)
        self.assertIn("north.csv and 3 more files has numbers", answer.err)
        for tick in (json.loads(line) for line in (self.home / "t.jsonl").read_text().splitlines()[1:]):
            row = list(self.rows.values())[tick["client"]][tick["batch"][0]]  # as the file numbers them
            self.assertNotIn("?", row)
        for name, rows in kept.items():
            self.write(f"clean/{name}.csv", "".join(",".join(row) + "\n" for row in rows))
        clean = self.run_config("raw.toml", *sets(problem__data="clean/{north,south,east,west}.csv"))
        self.assertEqual(clean.trajectory, json.loads((self.home / "dropped/summary.json").read_text())["trajectory"])
        answer = self.doc2s("predict", "dropped", "east.csv", "-o", "east.out.csv")
        self.assertEqual([int(row["row"]) for row in read_csv(self.home / "east.out.csv")],
                         [k + 1 for k, row in enumerate(self.rows["east"]) if "?" not in row])
        self.assertIn("rows out", answer.err)

    def test_the_mean_stands_for_what_is_missing(self):
        run = self.run_config("raw.toml", *sets(problem__missing="mean", problem__scaling="none"))
        how = json.loads(run.text("preprocessing.json"))
        a = np.array([[np.nan if v == "?" else float(v) for v in row[:3]] for rows in self.rows.values() for row in rows])
        np.testing.assert_allclose(how["fill"], np.nanmean(a, 0), rtol=1e-12)
        made, _ = self.predicted(run, "west.csv")
        z = mlp_outputs(np.where(np.isnan(a[-40:]), how["fill"], a[-40:]), [4], 2, np.load(run.directory / "last.npy"))
        self.assertEqual([row["prediction"] for row in made], [how["classes"][k] for k in z.argmax(1)])

    def test_validation(self):
        words = ("raw.toml", *sets(problem__missing="mean", problem__validation="0.25"))
        run, again, other = self.run_config(*words), self.run_config(*words), self.run_config(*words, *sets(seed=2))
        self.assertEqual(run.trajectory, again.trajectory)
        share = run.summary["validation_accuracy"]
        self.assertAlmostEqual(share * 31, round(share * 31))  # 8 + 6 + 7 + 10 rows
        self.assertNotEqual(run.text("preprocessing.json"), other.text("preprocessing.json"))


class Mistakes(TableCase):
    def test_of_a_run(self):
        write_sites(self, "class")
        self.write("table.toml", config_text(self, CLASSES))
        self.write("site-3.csv", (self.home / "site-3.csv").read_text().replace("dose", "dosis"))
        self.refused("run", "table.toml", "--out", "o", says=["site-3.csv", '"dose"'])
        write_sites(self, "class")
        self.refused("run", "table.toml", "--out", "o", *sets(problem__label="klass"),
                     says=["site-0.csv", '"klass"', "and 5 more files alike"])
        self.refused("run", "table.toml", "--out", "o", *sets(problem__target="number"), listed=True,
                     says=["site-0.csv", "target"])
        self.refused("run", "table.toml", "--out", "o", *sets(problem__scaling="unit"), says=["problem.scaling"])
        self.write("test.csv", (self.home / "test.csv").read_text().replace(",cat", ",dog"))
        self.refused("run", "table.toml", "--out", "o", says=["test.csv", '"dog"'])

    def test_all_faults_of_all_files_are_listed(self):
        write_sites(self, "class")
        self.write("table.toml", config_text(self, CLASSES))
        for client, age in ((1, "?"), (3, "old")):
            lines = (self.home / f"site-{client}.csv").read_text().splitlines()
            lines[2] = ",".join([age, *lines[2].split(",")[1:]])
            self.write(f"site-{client}.csv", "\n".join(lines) + "\n")
        (self.home / "site-4.csv").unlink()
        self.refused("run", "table.toml", "--out", "o", listed=True,
                     says=["3 faults", 'site-1.csv:3: column 1 ("age") has no value, only "?"', 'site-3.csv:3: "old" in column 1',
                           "client 4 has no data", 'problem.missing = "drop"', 'problem.ignore = ["age"]'])
        self.refused("run", "table.toml", "--out", "o", *sets(problem__ignore='["bach no"]'), listed=True,
                     says=["4 faults", 'no file has the column "bach no"', 'did you mean "batch no"?'])

    def test_of_predict(self):
        run = self.trained()
        self.write("narrow.csv", table_text(np.ones((2, 2)), None, None, FEATURES[:2]))
        self.write("there.csv", "kept\n")
        here = ["predict", run.directory]
        self.refused("predict", self.home, "test.csv", says=["config.toml"])
        self.refused("predict", "nowhere", "test.csv", says=["nowhere"])
        self.refused(*here, "nowhere.csv", says=["nowhere.csv"])
        self.refused(*here, "narrow.csv", says=["narrow.csv", '"dose", "batch no"'])
        self.refused(*here, "test.csv", "-o", "there.csv", says=["there.csv", "--force"])
        self.refused(*here, "test.csv", "-o", run.directory / "last.npy", "--force", says=["last.npy"])
        self.refused(*here, "test.csv", "--client", 5, says=["--client 5", "0 to 4"])
        self.refused(*here, "test.csv", "--client", "all", says=["--client all"])
        (run.directory / "preprocessing.json").write_text("{}")
        self.refused(*here, "test.csv", says=["preprocessing.json"])


harness.main()
