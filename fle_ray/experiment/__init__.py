"""From an experiment to its records: plan, trajectory loop, backends, driver, manifest. See docs/running.md."""
