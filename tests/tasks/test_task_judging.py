"""How tasks judge: windows of automated production, scores, rewards. Figures are reckoned by hand."""

from __future__ import annotations

import pytest

from fle_ray.tasks import get_task
from tests.env.fakes import FakeInstance


def judged(task, instance):
    before, score = instance.flows(), instance.score()[0]
    return task.judge(instance, before=before, score_before=score)


def test_an_idle_factory_costs_one_window_and_is_worth_nothing():
    instance = FakeInstance()
    verdict = judged(get_task("iron_ore_throughput"), instance)
    assert (verdict.value, verdict.reward, verdict.success, verdict.terminated) == (0, 0, False, False)
    assert (verdict.ticks, instance.tick) == (3600, 3600)
    assert "0 iron-ore per 60 seconds" in verdict.message
    assert "quota is 16" in verdict.message


def test_a_steady_factory_is_measured_in_two_windows():
    # 20 a minute in the first window beats 0; the second window has 20 again, which does not beat 20.
    instance = FakeInstance()
    instance.call(0, "build", ("iron-ore", 20))
    verdict = judged(get_task("iron_ore_throughput"), instance)
    assert (verdict.value, verdict.reward, verdict.success, verdict.terminated) == (20, 20, True, True)
    assert verdict.ticks == 7200
    assert verdict.meta["windows"] == [20, 20]
    assert verdict.meta["iron-ore achieved throughput per 60 seconds"] == 20


def test_a_factory_that_starts_up_is_given_windows_while_it_grows():
    # Minutes of 5, 12, 18, 18: the fourth window does not beat the third.
    instance = FakeInstance()
    instance.call(0, "build", ("iron-ore", 5, 12, 18))
    verdict = judged(get_task("iron_ore_throughput"), instance)
    assert verdict.meta["windows"] == [5, 12, 18, 18]
    assert (verdict.value, verdict.success, instance.tick) == (18, True, 4 * 3600)


def test_the_best_window_counts_even_if_the_last_is_worse():
    instance = FakeInstance()
    instance.call(0, "build", ("iron-ore", 17, 3))
    verdict = judged(get_task("iron_ore_throughput"), instance)
    assert (verdict.value, verdict.success) == (17, True)


def test_what_hands_made_before_the_window_does_not_count():
    instance = FakeInstance()
    before, score = instance.flows(), instance.score()[0]
    instance.call(0, "harvest_resource", ("iron-ore", 500))
    instance.call(0, "craft_item", ("iron-ore", 500))
    verdict = get_task("iron_ore_throughput").judge(instance, before=before, score_before=score)
    assert (verdict.value, verdict.success) == (0, False)


def test_the_quota_itself_is_enough():
    instance = FakeInstance()
    instance.call(0, "build", ("iron-ore", 16))
    assert judged(get_task("iron_ore_throughput"), instance).success is True


def test_just_below_the_quota_is_not_enough():
    instance = FakeInstance()
    instance.call(0, "build", ("iron-ore", 15))
    assert judged(get_task("iron_ore_throughput"), instance).success is False


def test_measuring_on_a_fork_leaves_the_world_as_it_was():
    instance = FakeInstance()
    instance.call(0, "build", ("iron-ore", 20))
    digest = instance.digest()
    verdict = judged(get_task("iron_ore_throughput", measure="fork"), instance)
    assert (verdict.value, verdict.success, verdict.ticks) == (20, True, 0)
    assert verdict.meta["measured_ticks"] == 7200
    assert instance.digest() == digest
    assert [copy.closed for copy in instance.forks] == [True]


def test_a_shorter_window_is_still_reported_per_minute():
    # 30 s windows of a machine at 20 a minute: 10 and 10, so 20 a minute.
    instance = FakeInstance()
    instance.call(0, "build", ("iron-ore", 20))
    verdict = judged(get_task("iron_ore_throughput", window_s=30), instance)
    assert (verdict.value, verdict.meta["windows"], verdict.ticks) == (20, [10, 10], 3600)


def test_windows_stop_at_their_limit_while_production_still_grows():
    instance = FakeInstance()
    instance.call(0, "build", ("iron-ore", *range(1, 100)))
    verdict = judged(get_task("iron_ore_throughput", max_windows=4), instance)
    assert (verdict.meta["windows"], verdict.value) == ([1, 2, 3, 4], 4)


def test_a_fluid_is_counted_in_the_same_way_against_its_own_quota():
    instance = FakeInstance()
    instance.call(0, "build", ("crude-oil", 249))
    assert judged(get_task("crude_oil_throughput"), instance).success is False
    instance.call(0, "build", ("crude-oil", 1))
    assert judged(get_task("crude_oil_throughput"), instance).success is True


def test_an_unbounded_task_has_no_success_and_is_paid_by_the_score():
    # Two windows of 7 plates at 5 each: the score rises by 70; 4 ore by hand before the judging add 12.
    instance = FakeInstance()
    instance.call(0, "build", ("iron-plate", 7))
    before, score = instance.flows(), instance.score()[0]
    instance.call(0, "harvest_resource", ("iron-ore", 4))
    verdict = get_task("iron_plate_throughput_multiagent_free").judge(instance, before=before, score_before=score)
    assert (verdict.value, verdict.reward, verdict.success, verdict.terminated) == (7, 82, None, False)
    assert verdict.meta["achievements"] == {"static": {}, "dynamic": {"iron-plate": 7}}
    assert "7 iron-plate" in verdict.message


def test_an_unbounded_task_measured_on_a_fork_is_not_paid_for_the_windows():
    instance = FakeInstance()
    instance.call(0, "build", ("iron-plate", 7))
    task = get_task("iron_plate_throughput_multiagent_free", measure="fork")
    assert judged(task, instance).reward == 0


@pytest.mark.parametrize(("key", "value"), [("open_play", 26), ("open_play_production", 20)])
def test_open_play_is_worth_its_score_and_paid_what_the_step_added(key, value):
    # Before the step: 2 ore by hand = 6. In it: 4 plates by machine = 20. So 26 in all, 20 of it automated.
    instance = FakeInstance()
    instance.call(0, "harvest_resource", ("iron-ore", 2))
    before, score = instance.flows(), instance.score()[0]
    instance.call(0, "build", ("iron-plate", 4))
    instance.call(0, "sleep", (60,))
    verdict = get_task(key).judge(instance, before=before, score_before=score)
    assert (verdict.value, verdict.reward, verdict.success, verdict.ticks) == (value, 20, None, 0)
    assert "+20" in verdict.message


def test_a_loss_is_a_negative_reward():
    # Burning 3 coal that was in the starting inventory: -6.
    instance = FakeInstance()
    instance.call(0, "craft_item", ("ash", 1, "coal", 3))
    verdict = get_task("open_play").judge(instance, before=instance.flows(), score_before=0.0)
    assert (verdict.value, verdict.reward) == (-6, -6)
