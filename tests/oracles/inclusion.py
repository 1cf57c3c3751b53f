"""Inclusion queries: the narrowing proof's answer against cvc5's, from the same source expressions.

    python inclusion.py --bailiwick PATH [--queries 1500] [--seed 1]

The proof is asked through `bailiwick verify`, many overlays in one run. Where cvc5 finds a model, the model is tried on the
evaluator (`bailiwick test`): the overlay's words must permit it, the base must refuse it; and the witness that `verify` shows
must satisfy the formula. Ends at the first disagreement, with the query printed. Exit code 0: no disagreement, at most 1 %
unknown, 30 to 70 % hold.
"""
import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from pathlib import Path

import cvc5

from encoding import question, universe_of, universes
from expressions import KINDS, Draw, decimal, text

TYPES = {"text": "text by pattern", "host": "host", "path": "path", "decimal": "decimal", "int": "int", "ip": "ip"}
LIMIT_MS = 10_000
BATCH = 100


def solve(smt):
    """"sat" with the model of `x`, "unsat", or "unknown"."""
    manager = cvc5.TermManager()
    solver = cvc5.Solver(manager)
    solver.setOption("produce-models", "true")
    solver.setOption("strings-exp", "true")
    solver.setOption("tlimit-per", str(LIMIT_MS))
    symbols = cvc5.SymbolManager(manager)
    parser = cvc5.InputParser(solver, symbols)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, smt, "query")
    answer = ""
    while True:
        command = parser.nextCommand()
        if command.isNull():
            break
        answer += str(command.invoke(solver, symbols))
    answer = answer.strip().split(" ")[0]
    if answer not in ("sat", "unsat", "unknown"):
        raise SystemExit("cvc5 cannot read the query: %s\n%s" % (answer, smt))
    if answer != "sat":
        return answer, None
    x = [term for term in symbols.getDeclaredTerms() if str(term) == "x"][0]
    value = solver.getValue(x)
    if value.isStringValue():
        return answer, value.getStringValue()
    return answer, Fraction(value.getRealValue() if value.isRealValue() else value.getIntegerValue())


def asked(query):
    """The solver's answer: holds, a model as an argument's JSON, or unknown."""
    kind, rows, over = query
    began, unknown = time.perf_counter(), False
    for universe in universes(kind, rows + [over]):
        answer, model = solve(question(universe, rows, over))
        if answer == "sat":
            value = universe.decode(model)
            model = decimal(value) if isinstance(value, Fraction) else json.dumps(value)
            return {"holds": False, "model": model, "seconds": time.perf_counter() - began}
        unknown = unknown or answer == "unknown"
    return {"holds": None if unknown else True, "model": None, "seconds": time.perf_counter() - began}


def shows(query, witness):
    """Whether the proof's witness satisfies the formula, by cvc5."""
    kind, rows, over = query
    universe = universe_of(kind, rows + [over], witness)
    return solve(question(universe, rows, over, is_value=witness))[0] == "sat"


def vocabulary():
    tools = "".join("    tool t_%s { reads; x: %s }\n" % (kind, TYPES[kind]) for kind in KINDS)
    return "vocabulary w {\n%s}\n" % tools


def row(kind, e):
    return "allow t_%s { x in (%s) }" % (kind, text(e))



def proved(bailiwick, queries, folder):
    """What `verify` says of each query, in one run."""
    policy = vocabulary()
    for at, (kind, rows, over) in enumerate(queries):
        policy += "agent a%d { use w {\n    %s\n} }\n" % (at, "\n    ".join(row(kind, e) for e in rows))
        policy += "overlay o%d on a%d { w {\n    %s\n} }\n" % (at, at, row(kind, over))
    path = Path(folder) / "queries.bwk"
    path.write_text(policy)
    ran = subprocess.run([bailiwick, "--quiet", "verify", path, "--format", "json"], capture_output=True, text=True)
    if ran.returncode not in (0, 3):
        raise SystemExit("verify: exit code %d\n%s" % (ran.returncode, ran.stderr[:4000]))
    return {o["name"]: o for o in json.loads(ran.stdout, parse_float=Fraction, parse_int=Fraction)["overlays"]}


def evaluated(bailiwick, models, folder):
    """The state of each model under the overlay's words and under the base: pairs."""
    if not models:
        return []
    policy = vocabulary()
    for at, ((kind, rows, over), model) in enumerate(models):
        for name, written in (("over", [over]), ("base", rows)):
            policy += "agent %s%d { use w {\n    %s\n} }\n" % (name, at, "\n    ".join(row(kind, e) for e in written))
            policy += "test %s%d {\n    w.t_%s(x: %s) is Ready\n}\n" % (name, at, kind, model)
    path = Path(folder) / "models.bwk"
    path.write_text(policy)
    ran = subprocess.run([bailiwick, "--quiet", "test", path, "--format", "json"], capture_output=True, text=True)
    if ran.returncode not in (0, 1):
        raise SystemExit("test: exit code %d\n%s" % (ran.returncode, ran.stderr[:4000]))
    got = {case["agent"]: case["got"] for case in json.loads(ran.stdout)["tests"]}
    return [(got["over%d" % at], got["base%d" % at]) for at in range(len(models))]


def spelled(query):
    kind, rows, over = query
    return "%s\n  base:    %s\n  overlay: %s" % (kind, "\n       or: ".join(text(e) for e in rows), text(over))


def disagree(query, told, smt=True):
    print("DISAGREEMENT: %s\n%s" % (told, spelled(query)))
    if smt:
        kind, rows, over = query
        for universe in universes(kind, rows + [over]):
            print("; %s\n%s" % (universe.name, question(universe, rows, over)))
    sys.exit(1)


def compare(bailiwick, queries, answers, folder, counts):
    said = proved(bailiwick, queries, folder)
    models = []
    for at, (query, answer) in enumerate(zip(queries, answers)):
        verdict = said["o%d" % at]
        if not verdict["proved"]:
            disagree(query, "not proved within the bounds", smt=False)
        of = counts[query[0]]
        of["asked"] += 1
        of["seconds"] += answer["seconds"]
        if answer["holds"] is None:
            of["unknown"] += 1
            print("unknown to cvc5 (bailiwick: %s): %s" % (verdict["holds"], spelled(query)))
            continue
        if answer["holds"] != verdict["holds"]:
            disagree(query, "cvc5 %s, bailiwick %s" % (answer, verdict))
        of["hold"] += answer["holds"]
        if not answer["holds"]:
            if answer["model"] is not None:
                models.append((query, answer["model"]))
            witness = verdict["widens"][0]["witness"]["x"]
            if not shows(query, witness):
                disagree(query, "the witness %s is none to cvc5" % witness)
            of["witnesses"] += 1
    for (query, model), (over, base) in zip(models, evaluated(bailiwick, models, folder)):
        if not re.match("Ready", over) or re.match("Ready|Malformed", base):
            disagree(query, "the model %s is %s under the overlay's words and %s under the base" % (model, over, base))
        counts[query[0]]["models"] += 1


def report(counts):
    columns = ["asked", "hold", "unknown", "models", "witnesses"]
    total = {column: sum(of[column] for of in counts.values()) for column in columns + ["seconds"]}
    print("%-8s %7s %7s %5s %8s %14s %19s %7s" % ("type", "queries", "hold", "%", "unknown", "models tried", "witnesses checked", "cvc5 s"))
    for name, of in list(counts.items()) + [("all", total)]:
        share = 100 * of["hold"] // max(1, of["asked"])
        row = (name, of["asked"], of["hold"], share, of["unknown"], of["models"], of["witnesses"], of["seconds"])
        print("%-8s %7d %7d %5d %8d %14d %19d %7.1f" % row)
    if total["unknown"] * 100 > total["asked"]:
        raise SystemExit("more than 1 % unknown")
    if not 30 <= 100 * total["hold"] // total["asked"] <= 70:
        raise SystemExit("too one-sided to show anything")


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--bailiwick", required=True)
    options.add_argument("--queries", type=int, default=1500)
    options.add_argument("--seed", type=int, default=1)
    options = options.parse_args()
    draw = Draw(random.Random(options.seed))
    queries = [draw.query() for _ in range(options.queries)]
    columns = ["asked", "hold", "unknown", "models", "witnesses", "seconds"]
    counts = {kind: dict.fromkeys(columns, 0) for kind in KINDS}
    with tempfile.TemporaryDirectory() as folder, ProcessPoolExecutor() as pool:
        answers = pool.map(asked, queries, chunksize=10)
        for start in range(0, len(queries), BATCH):
            batch = queries[start : start + BATCH]
            compare(options.bailiwick, batch, [next(answers) for _ in batch], folder, counts)
    report(counts)


if __name__ == "__main__":
    main()
