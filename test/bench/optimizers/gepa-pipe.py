"""Runs gepa (Python) on tasks that live in the process at the other end of the pipe.

Reads one job per line from standard input. While a job runs, it asks the other process for scores,
feedback and new texts, one JSON line each way; the last line of a job holds its result.
"""

import json
import sys

import gepa
from gepa import EvaluationBatch


def ask(**question):
    sys.stdout.write(json.dumps(question) + "\n")
    sys.stdout.flush()
    return json.loads(sys.stdin.readline())


class Quiet:
    def log(self, *_, **__):
        pass


class WithinCap:
    """Remembers the best texts that were known when at most `cap` metric calls were spent."""

    def __init__(self, cap):
        self.cap, self.texts, self.calls, self.written = cap, None, 0, 0

    def on_iteration_start(self, event):
        if self.texts is None:
            self.look(event["state"])

    def on_iteration_end(self, event):
        self.look(event["state"])

    def look(self, state):
        if self.texts is not None and state.total_num_evals > self.cap:
            return
        means = [sum(scores.values()) / len(scores) for scores in state.prog_candidate_val_subscores]
        self.texts = state.program_candidates[means.index(max(means))]
        self.calls, self.written = state.total_num_evals, Adapter.written


class Adapter:
    written = 0

    def evaluate(self, batch, candidate, capture_traces=False):
        seen = ask(ask="scores", exampleIds=list(batch), texts=candidate)
        trajectories = list(zip(batch, seen["scores"], seen["feedback"])) if capture_traces else None
        return EvaluationBatch(outputs=seen["scores"], scores=seen["scores"], trajectories=trajectories)

    def make_reflective_dataset(self, candidate, eval_batch, components):
        return {
            name: [
                {"id": example_id, "Feedback": feedback[name]}
                for example_id, score, feedback in eval_batch.trajectories
                if score < 1 and name in feedback
            ]
            for name in components
        }

    def propose_new_texts(self, candidate, dataset, components):
        texts = {}
        for name in components:
            if not dataset.get(name):
                continue
            feedback = [record["Feedback"] for record in dataset[name]]
            texts[name] = ask(ask="text", component=name, text=candidate[name], feedback=feedback)["text"]
            Adapter.written += 1
        return texts


def search(job):
    Adapter.written = 0
    within = WithinCap(job["metricCalls"])
    gepa.optimize(
        seed_candidate=job["texts"],
        trainset=job["train"],
        valset=job["val"],
        adapter=Adapter(),
        max_metric_calls=job["metricCalls"],
        seed=job["run"],
        logger=Quiet(),
        callbacks=[within],
        raise_on_exception=True,
        reflection_minibatch_size=3,
        **job["options"],
    )
    return {"texts": within.texts, "metricCalls": within.calls, "written": within.written}


while line := sys.stdin.readline():
    ask(ask="nothing", result=search(json.loads(line)))
