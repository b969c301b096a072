"""An agent that knows what it may spend: it looks at its key's limits first, takes the cheapest way, and stops in time.

    python3 careful_agent.py 5 "6 * 7" "weather in paris" "climate" "tides" "climate"

The number is the most searches that this run may use. Prints what each question cost, and what is left.
"""

from __future__ import annotations

import os
import sys
from typing import Optional

from bowerbird import Bowerbird, BowerbirdError, RateLimitError


class BudgetSpent(Exception):
    """The run's own budget, or the key's monthly cap, is used up."""


class CarefulAgent:
    def __init__(self, bowerbird: Bowerbird, budget: int) -> None:
        self._bowerbird = bowerbird
        usage = bowerbird.usage()
        cap = usage.limits.monthly_cap
        #: Neither `usage` nor `key` counts as a search.
        left = budget if cap is None else min(budget, cap - usage.searches)
        self._left = min(left, usage.limits.sustained.remaining)
        self.spent = 0
        self._known: dict[str, str] = {}

    def ask(self, question: str) -> tuple[str, int]:
        """The answer and its cost. What was asked before costs nothing."""
        before = self.spent
        if question not in self._known:
            self._known[question] = self._instant(question) or self._search(question)
        return self._known[question], self.spent - before

    def _instant(self, question: str) -> Optional[str]:
        """One search at most; it saves reading ten results."""
        self._spend()
        try:
            answer = self._bowerbird.instant(question)
        except RateLimitError:
            raise
        except BowerbirdError:
            # Errors don't count.
            self.spent -= 1
            return None
        return None if answer is None else answer.text

    def _search(self, question: str) -> str:
        self._spend()
        reply = self._bowerbird.web(question)
        if not reply.results:
            return f"nothing found ({reply.meta.search_status})"
        return f"{reply.results[0].title}: {reply.results[0].url}"

    def _spend(self) -> None:
        if self.spent >= self._left:
            raise BudgetSpent
        self.spent += 1


def main(budget: int, questions: list[str]) -> None:
    with Bowerbird(os.environ["BOWERBIRD_URL"], os.environ["BOWERBIRD_KEY"]) as bowerbird:
        agent = CarefulAgent(bowerbird, budget)
        for question in questions:
            try:
                answer, cost = agent.ask(question)
            except BudgetSpent:
                print(f"stopped before: {question}")
                break
            except RateLimitError as error:
                print(f"stopped before: {question} (more in {error.retry_after} seconds)")
                break
            print(f"{cost} {question} → {answer}")
        burst = bowerbird.usage().limits.burst
        print(f"spent {agent.spent} of {budget}; {burst.remaining} of {burst.limit} requests left this minute")


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
