"""One search with gepa in a process of its own: the work of whole-search.mjs.

Takes the number of metric calls; prints how many were made.
"""

import json
import sys
import tempfile

import gepa
from gepa import EvaluationBatch


class Quiet:
    def log(self, *_, **__):
        pass


def examples(split, count):
    return [
        {"id": f"{split}{number}", "number": number, "component": ("first", "second")[number % 2]}
        for number in range(count)
    ]


def level_of(text):
    return int(text.split(" ")[1])


class Steps:
    calls, written = 0, 0

    def evaluate(self, batch, candidate, capture_traces=False):
        self.calls += len(batch)
        scores = []
        for example in batch:
            level = level_of(candidate[example["component"]])
            jitter = (level * 31 + example["number"] * 17) % 1000
            scores.append(1 - 0.9 / (1 + level / 50) - jitter / 1e6)
        return EvaluationBatch(
            outputs=scores, scores=scores, trajectories=list(batch) if capture_traces else None
        )

    def make_reflective_dataset(self, candidate, eval_batch, components):
        return {
            name: [
                {"Feedback": f"Raise the level of {example['number']}."}
                for example in eval_batch.trajectories
                if example["component"] == name
            ]
            for name in components
        }

    def propose_new_texts(self, candidate, dataset, components):
        texts = {}
        for name in components:
            self.written += 1
            step = 1 if (self.written * 7919) % 13 < 7 else -1
            texts[name] = f"{name} {max(0, level_of(candidate[name]) + step)} {self.written}"
        return texts


adapter = Steps()
with tempfile.TemporaryDirectory() as folder:
    result = gepa.optimize(
        seed_candidate={"first": "first 0 0", "second": "second 0 0"},
        trainset=examples("train", 30),
        valset=examples("val", 20),
        adapter=adapter,
        reflection_minibatch_size=3,
        max_metric_calls=int(sys.argv[1]),
        seed=0,
        logger=Quiet(),
        run_dir=folder,
        raise_on_exception=True,
    )
print(json.dumps({"metricCalls": adapter.calls, "candidates": result.num_candidates}))
