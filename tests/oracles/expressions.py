"""Random set expressions of the language, as trees and as the words of a policy. Knows no solver.

An expression is ("any",), ("or" | "and" | "except", left, right), or an atom:
  ("one of", [literal...])   text, decimal, int
  ("prefix", s) ("suffix", s) ("length", low, high) ("matches", regex)      text
  ("range", low, high)       decimal, int: an end is None or (Fraction, "closed" | "open")
  ("hosts", [pattern...])  ("class", "loopback" | "link_local")
  ("paths", [glob...])  ("blocks", [cidr...])
A regex is ("chars", "abc") ("any char",) ("seq", [r...]) ("alt", [r...]) ("repeat", r, low, high).
"""
import ipaddress
import json
from fractions import Fraction

KINDS = ["text", "host", "path", "decimal", "int", "ip"]
LETTERS = "abc"


def decimal(f):
    """A fraction with a finite decimal, exactly."""
    scale, n = 0, f
    while n.denominator != 1:
        n, scale = n * 10, scale + 1
        if scale > 60:
            return None
    digits = str(abs(n.numerator)).rjust(scale + 1, "0")
    text = digits if scale == 0 else digits[:-scale] + "." + digits[-scale:]
    return ("-" if f < 0 else "") + text


def regex_text(r):
    kind = r[0]
    if kind == "chars":
        return "[" + r[1] + "]" if len(r[1]) > 1 else r[1]
    if kind == "any char":
        return "."
    if kind == "seq":
        return "".join(regex_text(part) for part in r[1])
    if kind == "alt":
        return "(" + "|".join(regex_text(part) for part in r[1]) + ")"
    low, high = r[2], r[3]
    inner = regex_text(r[1])
    inner = inner if r[1][0] in ("chars", "any char", "alt") else "(" + inner + ")"
    if (low, high) == (0, None):
        return inner + "*"
    if (low, high) == (1, None):
        return inner + "+"
    return inner + "{%d,%s}" % (low, "" if high is None else high)


def text(e):
    """The words of the policy."""
    kind = e[0]
    if kind == "any":
        return "any"
    if kind in ("or", "and", "except"):
        return "(%s) %s (%s)" % (text(e[1]), kind, text(e[2]))
    if kind == "one of":
        return "{ %s }" % ", ".join(decimal(v) if isinstance(v, Fraction) else json.dumps(v) for v in e[1])
    if kind in ("hosts", "paths", "blocks"):
        return "{ %s }" % ", ".join(json.dumps(v) for v in e[1])
    if kind in ("prefix", "suffix"):
        return "%s %s" % (kind, json.dumps(e[1]))
    if kind == "length":
        return "length %d..%s" % (e[1], "" if e[2] is None else e[2])
    if kind == "matches":
        return "matches %s" % json.dumps(regex_text(e[1]))
    if kind == "class":
        return e[1]
    low, high = e[1], e[2]
    if low and high and low[1] == high[1] == "closed":
        return "%s..%s" % (decimal(low[0]), decimal(high[0]))
    words = []
    if low:
        words.append("%s %s" % (">=" if low[1] == "closed" else ">", decimal(low[0])))
    if high:
        words.append("%s %s" % ("<=" if high[1] == "closed" else "<", decimal(high[0])))
    return " ".join(words)


class Draw:
    """Expressions drawn with `dice`, a random.Random."""

    def __init__(self, dice):
        self.dice = dice

    def word(self, low, high, letters=LETTERS):
        return "".join(self.dice.choice(letters) for _ in range(self.dice.randint(low, high)))

    def regex(self, depth):
        pick = self.dice.randrange(3 if depth == 0 else 6)
        if pick == 0:
            return ("any char",)
        if pick in (1, 2):
            return ("chars", "".join(sorted(set(self.word(1, 2)))))
        if pick == 3:
            return ("seq", [self.regex(depth - 1) for _ in range(self.dice.randint(2, 3))])
        if pick == 4:
            return ("alt", [self.regex(depth - 1) for _ in range(2)])
        low = self.dice.randint(0, 2)
        return ("repeat", self.regex(depth - 1), low, self.dice.choice([None, low + 1, low + 2]))

    def sample(self, r):
        """A word that `r` matches."""
        kind = r[0]
        if kind == "chars":
            return self.dice.choice(r[1])
        if kind == "any char":
            return self.dice.choice(LETTERS)
        if kind == "seq":
            return "".join(self.sample(part) for part in r[1])
        if kind == "alt":
            return self.sample(self.dice.choice(r[1]))
        times = self.dice.randint(r[2], r[3] if r[3] is not None else r[2] + 2)
        return "".join(self.sample(r[1]) for _ in range(times))

    def number(self, kind):
        n = Fraction(self.dice.randint(-12, 12))
        return n if kind == "int" else n / self.dice.choice([1, 2, 4, 10, 100])

    def host(self):
        labels = [self.dice.choice(["a", "b", "c", "host"]) for _ in range(self.dice.randint(1, 2))]
        return ".".join(labels + [self.dice.choice(["example.com", "example.org", "test", "localhost"])])

    def segment(self):
        return self.dice.choice(["a", "b", "c", "*", "a*", "*md", "x*y", "git"])

    def glob(self):
        segments = [self.segment() for _ in range(self.dice.randint(1, 3))]
        if self.dice.random() < 0.6:
            segments[self.dice.randrange(len(segments))] = "**"
        body = "/".join(segments)
        return self.dice.choice(["/" + body, body, "/" + body])

    def block(self):
        if self.dice.random() < 0.7:
            bits = self.dice.choice([8, 9, 10, 12, 16, 24, 31, 32])
            base = (10 << 24) | (self.dice.randint(0, 3) << 22) | (self.dice.randint(0, 3) << 14)
            return str(ipaddress.ip_network((base, bits), strict=False))
        bits = self.dice.choice([16, 32, 33, 64, 127, 128])
        base = (0x2001 << 112) | (self.dice.randint(0, 3) << 94) | self.dice.randint(0, 3)
        return str(ipaddress.ip_network((base, bits), strict=False))

    def atom(self, kind):
        some = lambda make: [make() for _ in range(self.dice.randint(1, 3))]
        if kind == "text":
            pick = self.dice.randrange(6)
            if pick == 0:
                return ("one of", some(lambda: self.word(0, 3, LETTERS + "*")))
            if pick == 1:
                return ("prefix", self.word(0, 3))
            if pick == 2:
                return ("suffix", self.word(0, 3))
            if pick == 3:
                low = self.dice.randint(0, 4)
                return ("length", low, self.dice.choice([None, low, low + 2, low + 5]))
            return ("matches", self.regex(3))
        if kind in ("decimal", "int"):
            if self.dice.random() < 0.25:
                return ("one of", some(lambda: self.number(kind)))
            low, high = sorted([self.number(kind), self.number(kind)])
            end = lambda n: (n, self.dice.choice(["closed", "open"]))
            shape = self.dice.randrange(4)
            return ("range", None if shape == 0 else end(low), None if shape == 1 else end(high))
        if kind == "host":
            if self.dice.random() < 0.15:
                return ("class", self.dice.choice(["loopback", "link_local"]))
            address = lambda: self.dice.choice(["127.0.0.1", "169.254.169.254", "10.0.0.1"])
            pattern = lambda: "*." + self.host().split(".", 1)[1] if self.dice.random() < 0.5 else self.host()
            return ("hosts", some(lambda: address() if self.dice.random() < 0.1 else pattern()))
        if kind == "path":
            return ("paths", [self.glob() for _ in range(self.dice.randint(1, 2))])
        return ("blocks", some(self.block))

    def set(self, kind, depth):
        if depth == 0 or self.dice.random() < 0.4:
            return self.atom(kind)
        op = self.dice.choice(["or", "or", "and", "except", "except"])
        left = ("any",) if op == "except" and self.dice.random() < 0.25 else self.set(kind, depth - 1)
        return (op, left, self.set(kind, depth - 1))

    def narrowed(self, e):
        """Something that mostly lies in `e`, without saying so by its shape."""
        kind = e[0]
        if kind in ("or", "and"):
            return (kind, self.narrowed(e[1]), self.narrowed(e[2]))
        if kind == "except":
            return (kind, self.narrowed(e[1]), e[2])
        if kind == "any":
            return e
        if kind in ("one of", "blocks"):
            return (kind, self.dice.sample(e[1], self.dice.randint(1, len(e[1]))))
        if kind == "prefix":
            return (kind, e[1] + self.word(0, 2))
        if kind == "suffix":
            return (kind, self.word(0, 2) + e[1])
        if kind == "length":
            low, high = e[1] + self.dice.randint(0, 1), e[2]
            return (kind, low, high) if high is None or low <= high else e
        if kind == "matches":
            return ("one of", [self.sample(e[1]) for _ in range(2)]) if self.dice.random() < 0.5 else e
        if kind == "hosts":
            deeper = lambda p: self.dice.choice([p, "*.d" + p[1:], "d" + p[1:]]) if p.startswith("*") else p
            return (kind, [deeper(p) for p in e[1]])
        if kind == "paths":
            fill = {"**": ["**", "b", "a/*", "c/**"], "*": ["*", "b"], "a*": ["a*", "ab"], "*md": ["*md", "bmd"]}
            seg = lambda s: self.dice.choice(fill.get(s, [s]))
            return (kind, ["/".join(seg(s) if at or not s.startswith("**") else s for at, s in enumerate(p.split("/"))) for p in e[1]])
        if kind == "range":
            return (kind, e[1] and (e[1][0], self.dice.choice([e[1][1], "open"])), e[2])
        return e

    def query(self):
        """(kind, the base's rows, the overlay's set)"""
        kind = self.dice.choice(["text", "text", "host", "path", "path", "decimal", "int", "ip"])
        rows = [self.set(kind, 2) for _ in range(self.dice.randint(1, 3))]
        union = rows[0]
        for row in rows[1:]:
            union = ("or", union, row)
        pick = self.dice.randrange(100)
        if pick < 6:
            return kind, rows, ("and", self.set(kind, 1), self.dice.choice(rows))
        if pick < 12:
            return kind, rows, ("except", union, self.set(kind, 1))
        if pick < 30:
            return kind, rows, self.narrowed(self.dice.choice(rows))
        if pick < 40:
            return kind, rows, self.narrowed(union)
        if pick < 44:
            return kind, rows, ("or", self.narrowed(union), ("and", self.set(kind, 1), self.atom(kind)))
        return kind, rows, self.set(kind, 1)
