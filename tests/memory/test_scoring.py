"""Belief, recency and the score made of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.core import scoring
from memory.core.scoring import Score

share = st.floats(0, 1)


@given(share, share, share)
def test_trust_never_leaves_its_range(trust: float, step: float, drift: float) -> None:
    assert 0 <= scoring.after_drift(trust, step, drift) <= trust
    assert trust <= scoring.after_agreement(trust, step) <= 1


@given(share, share, share)
def test_belief_lies_between_trust_and_confidence(t: float, c: float, alpha: float) -> None:
    w = scoring.belief(t, c, alpha)
    assert min(t, c) - 1e-9 <= w <= max(t, c) + 1e-9


@given(st.floats(0, 10_000), st.floats(0.1, 1000), share)
def test_recency_fades_and_never_below_its_floor(age: float, half: float, floor: float) -> None:
    rho = scoring.recency_factor(age, half, floor)
    assert floor <= rho <= 1
    assert scoring.recency_factor(age + 1, half, floor) <= rho


def test_recency_is_half_way_to_the_floor_after_one_half_life() -> None:
    assert scoring.recency_factor(30, 30, 0.2) == pytest.approx(0.6)


def test_a_name_does_not_fade() -> None:
    assert scoring.recency_factor(10_000, None, 0.2) == 1.0


def test_a_score_explains_itself() -> None:
    score = Score(0.5, 0.8, 0.9)
    assert score.total == pytest.approx(0.36)
    assert score.explained() == {"s": 0.5, "rho": 0.8, "w": 0.9, "R": 0.36}
