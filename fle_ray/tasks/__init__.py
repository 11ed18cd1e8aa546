"""What agents are asked to do and how it is judged: the catalogue and the kinds of task.

task = get_task("iron_ore_throughput")                      # by its key in the catalogue
task = get_task("iron_ore_throughput", measure="fork")      # with a parameter changed
names = select_tasks(["*_throughput"])                      # names and globs
"""

from fle_ray.tasks.catalogue import ENTRY_POINT_GROUP, get_task, select_tasks, task_names
from fle_ray.tasks.contract import Task, Verdict
from fle_ray.tasks.milestones import Achievements, Milestone, achievements, new_milestones
from fle_ray.tasks.production import ProductionTask
from fle_ray.tasks.throughput import ThroughputTask, UnboundedThroughputTask

__all__ = [
    "ENTRY_POINT_GROUP",
    "Achievements",
    "Milestone",
    "ProductionTask",
    "Task",
    "ThroughputTask",
    "UnboundedThroughputTask",
    "Verdict",
    "achievements",
    "get_task",
    "new_milestones",
    "select_tasks",
    "task_names",
]
