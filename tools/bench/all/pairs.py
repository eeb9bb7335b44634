"""Statistics of pairs: two programs run in turn, in an order thrown for each pair, and only their ratio counts.

A pair is log(time of one / time of the other). Because the order is random, whatever else the machine does is as likely to hit the one
as the other, also where it lasts for several pairs. So a pair lies on either side of the true ratio with the chance 1/2, and the interval
between two of the sorted pairs holds it with a probability of the binomial distribution: no assumption on the noise, outliers weigh
nothing. H. A. David, H. N. Nagaraja, Order Statistics, 3rd edition, 2003, section 7.1.
"""

import dataclasses
import math
import random
import statistics

WRONG = 0.01  # probability that an interval, or any of the intervals of a comparison, misses the ratio
LOOKS = (12, 24, 48, 96, 192)  # numbers of pairs at which a comparison may end


@dataclasses.dataclass
class Ratio:
    """Median of pairs as a ratio, and an interval that holds the true one with a probability of at least `confidence`."""

    ratio: float
    low: float
    high: float
    confidence: float
    pairs: int

    def percent(self):
        return f"{100 * (self.ratio - 1):+.2f} % ({100 * (self.low - 1):+.2f} to {100 * (self.high - 1):+.2f})"


def beyond(count, rank):
    """P(at most `rank` of `count` pairs lie below the median)"""
    return sum(math.comb(count, below) for below in range(rank + 1)) / 2**count


def ratio_of(logs, wrong=WRONG):
    """@param logs of pairs   @return a Ratio; its interval is infinite where there are too few pairs for any"""
    ordered, count = sorted(logs), len(logs)
    rank = -1
    while rank + 1 < count // 2 and 2 * beyond(count, rank + 1) <= wrong:
        rank += 1
    low, high = (0.0, math.inf) if rank < 0 else (math.exp(ordered[rank]), math.exp(ordered[count - 1 - rank]))
    return Ratio(math.exp(statistics.median(ordered)), low, high, 1 - wrong, count)


def verdict_of(measured, find):
    """What a ratio says about a loss of `find` percent. The threshold is half of that: a loss and none are equally far from it.

    loss       the interval lies above the threshold
    gain       it lies below the inverse of the threshold
    same       it lies between both
    no loss    it lies below the threshold, but not clear of a gain
    undecided  it holds the threshold"""
    threshold = 1 + find / 200
    if measured.low > threshold:
        return "loss"
    if measured.high < 1 / threshold:
        return "gain"
    if measured.high < threshold:
        return "same" if measured.low > 1 / threshold else "no loss"
    return "undecided"


def compare(measure_pair, find, looks=LOOKS):
    """Pairs until their verdict is clear, at most looks[-1] of them. The allowed error is divided among the looks, so that looking
    often makes no false alarm likelier.

    @param measure_pair()  (old, new), measured in a random order   @return (Ratio of new over old, verdict, pairs)"""
    pairs = []
    for look in looks:
        while len(pairs) < look:
            pairs.append(measure_pair())
        measured = ratio_of([math.log(new / old) for old, new in pairs], WRONG / len(looks))
        verdict = verdict_of(measured, find)
        if verdict in ("loss", "gain", "same"):
            break
    return measured, verdict, pairs


def in_turn(one, other, chance=random):
    """Both measured once, in an order thrown by `chance`. @return (one, other)"""
    if chance.random() < 0.5:
        first = one()
        return first, other()
    second = other()
    return one(), second


def change(earlier, later, find):
    """Verdict on a ratio against that of an earlier run, each with its own interval: only what lies beyond both counts."""
    ratio = Ratio(later.ratio / earlier.ratio, later.low / earlier.high if earlier.high else 0.0,
                  later.high / earlier.low if earlier.low else math.inf, later.confidence + earlier.confidence - 1, min(later.pairs, earlier.pairs))
    return ratio, verdict_of(ratio, find)
