"""Conditions over values of a plant: "translational.car.speed > 10 m/s and abs(control.fan.out - 0.5) < 5 %"."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from .errors import PlantError
from .units import in_si

Values = Mapping[str, float]
TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    r"(?:\s*(?P<unit>1/(?!\d)[A-Za-z]+|%|(?!and\b|or\b|not\b)[A-Za-z]\w*(?:\^\d+)?(?:[*/][A-Za-z]+(?![\w.\[])(?:\^\d+)?)*)(?![\w.\[(]))?"
    r"|(?P<word>[A-Za-z_][\w.\[\]@]*)|(?P<sign><=|>=|==|!=|[<>()+*/-]))"
)
COMPARE: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
ARITHMETIC: dict[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}


@dataclass
class Term:
    """A number or a value. unit None: a plain number, or a product of two quantities; "?": that of `text`, judged with its partner."""

    value: Callable[[Values], float]
    unit: str | None
    text: str = ""


class Condition:
    """What is wrong is said when it is made, with what is wrong about its units: so it needs the units of its paths."""

    def __init__(self, text: str, unit_of: Callable[[str], str]) -> None:
        self.text, self._unit_of = text, unit_of
        self.paths: list[str] = []
        self._tokens, at = [], 0
        while text[at:].strip():
            token = TOKEN.match(text, at)
            if token is None:
                raise PlantError(f'"{text}": not understood from "{text[at:].strip()[:20]}" on')
            self._tokens.append(token)
            at = token.end()
        self._at = 0
        self.holds = self._any()
        if self._at < len(self._tokens):
            raise self._wrong("the end")

    def _peek(self) -> str:
        return self._tokens[self._at][0].strip() if self._at < len(self._tokens) else ""

    def _take(self, *words: str) -> str:
        if self._peek() not in words:
            return ""
        self._at += 1
        return self._tokens[self._at - 1][0].strip()

    def _wrong(self, expected: str) -> PlantError:
        return PlantError(f'"{self.text}": {self._peek() or "the end"} stands where {expected} is expected')

    def _any(self) -> Callable[[Values], bool]:
        parts = [self._all()]
        while self._take("or"):
            parts.append(self._all())
        return lambda values: any(part(values) for part in parts)

    def _all(self) -> Callable[[Values], bool]:
        parts = [self._one()]
        while self._take("and"):
            parts.append(self._one())
        return lambda values: all(part(values) for part in parts)

    def _one(self) -> Callable[[Values], bool]:
        if self._take("not"):
            inner = self._one()
            return lambda values: not inner(values)
        before = self._at
        if self._take("("):  # of a condition, or of a sum
            try:
                inner = self._any()
                if self._take(")") and self._peek() not in (*COMPARE, *ARITHMETIC):
                    return inner
            except PlantError:
                pass
            self._at = before
        left = self._sum()
        compare = COMPARE.get(self._take(*COMPARE))
        if compare is None:
            raise self._wrong("a comparison, as >,")
        first, second = self._alike(left, self._sum())
        return lambda values: compare(first.value(values), second.value(values))

    def _sum(self) -> Term:
        term = self._product()
        while sign := self._take("+", "-"):
            apply = ARITHMETIC[sign]
            first, second = self._alike(term, self._product())
            term = Term(lambda values, f=first, s=second, a=apply: a(f.value(values), s.value(values)), first.unit)  # type: ignore[misc]
        return term

    def _product(self) -> Term:
        term = self._factor()
        while sign := self._take("*", "/"):
            apply = ARITHMETIC[sign]
            first, second = self._plain(term), self._plain(self._factor())
            unit = product_unit(first.unit, second.unit, sign)
            term = Term(lambda values, f=first, s=second, a=apply: a(f.value(values), s.value(values)), unit)  # type: ignore[misc]
        return term

    def _factor(self) -> Term:
        if self._take("-"):
            inner = self._factor()
            return Term(lambda values: -inner.value(values), inner.unit, f"-{inner.text}" if inner.text else "")
        if self._take("("):
            inner = self._sum()
            if not self._take(")"):
                raise self._wrong(")")
            return inner
        if self._at == len(self._tokens):
            raise self._wrong("a value")
        token = self._tokens[self._at]
        self._at += 1
        if token["number"]:
            number = float(token["number"])
            return Term(lambda values: number, "?" if token["unit"] else None, token[0].strip())
        if token["word"] == "abs" and self._take("("):
            inner = self._sum()
            if not self._take(")"):
                raise self._wrong(")")
            return Term(lambda values: abs(inner.value(values)), inner.unit)
        if token["word"] and token["word"] not in ("and", "or", "not"):
            return self._of_plant(token["word"])
        self._at -= 1
        raise self._wrong("a value")

    def _of_plant(self, path: str) -> Term:
        unit = self._unit_of(path)
        if path not in self.paths:
            self.paths.append(path)
        return Term(lambda values: values[path], unit or "1")

    def _alike(self, first: Term, second: Term) -> tuple[Term, Term]:
        """Both in SI, and of one quantity."""
        first, second = self._told(first, second), self._told(second, first)
        if first.unit and second.unit and first.unit != second.unit:
            raise PlantError(f'"{self.text}": {first.unit} and {second.unit} are not the same quantity')
        return Term(first.value, first.unit or second.unit), second

    def _told(self, term: Term, partner: Term) -> Term:
        """A number with unit, in the unit of what it is compared with or added to."""
        if term.unit != "?":
            return term
        if partner.unit in (None, "?"):
            return self._plain(term)
        number = in_si(term.text, partner.unit)
        return Term(lambda values: number, partner.unit)

    def _plain(self, term: Term) -> Term:
        if term.unit == "?":
            raise PlantError(f'"{self.text}": nothing here tells the quantity of {term.text}: give it in SI, without unit')
        return term


def product_unit(first: str | None, second: str | None, sign: str) -> str | None:
    """None where it is of a quantity that no path has: then numbers beside it are in SI."""
    if second in (None, "1"):
        return first
    if first in (None, "1") and sign == "*":
        return second
    return "1" if first == second and sign == "/" else None
