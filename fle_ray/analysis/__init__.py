"""What the data says: metrics, intervals, comparisons, plots, the report."""

from __future__ import annotations
