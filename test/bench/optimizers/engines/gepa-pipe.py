"""Runs gepa (Python) on tasks that live in the process at the other end of the pipe.

Reads one job per line from standard input. While a job runs, it asks the other process for scores,
feedback and new texts, one JSON line each way; the last line of a job holds its result.
"""

import json
import random
import sys
import time

import gepa
from gepa import EvaluationBatch


class Clock:
    """Wall and CPU time of the engine: all that does not pass in asking."""

    def __init__(self):
        self.wall, self.cpu = -time.perf_counter(), -time.process_time()

    def stop(self):
        self.wall, self.cpu = self.wall + time.perf_counter(), self.cpu + time.process_time()

    def start(self):
        self.wall, self.cpu = self.wall - time.perf_counter(), self.cpu - time.process_time()


def ask(**question):
    sys.stdout.write(json.dumps(question) + "\n")
    sys.stdout.flush()
    return json.loads(sys.stdin.readline())


class Quiet:
    def log(self, *_, **__):
        pass


class WithinCap:
    """Remembers the best texts that were known when at most `cap` metric calls were spent."""

    def __init__(self, cap, adapter):
        self.cap, self.adapter, self.texts, self.calls, self.written = cap, adapter, None, 0, 0

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
        self.calls, self.written = state.total_num_evals, self.adapter.written


class Adapter:
    def __init__(self, noise):
        self.clock, self.calls, self.written = Clock(), 0, 0
        self.deviation = noise["deviation"] if noise else 0
        self.random = random.Random(noise["key"] if noise else None)

    def ask(self, **question):
        self.clock.stop()
        answer = ask(**question)
        self.clock.start()
        return answer

    def noisy(self, score):
        if not self.deviation:
            return score
        return min(1.0, max(0.0, self.random.gauss(score, self.deviation)))

    def evaluate(self, batch, candidate, capture_traces=False):
        self.calls += len(batch)
        seen = self.ask(ask="scores", exampleIds=list(batch), texts=candidate)
        scores = [self.noisy(score) for score in seen["scores"]]
        trajectories = list(zip(batch, seen["feedback"])) if capture_traces else None
        return EvaluationBatch(outputs=scores, scores=scores, trajectories=trajectories)

    def make_reflective_dataset(self, candidate, eval_batch, components):
        return {
            name: [
                {"id": example_id, "Feedback": feedback[name]}
                for example_id, feedback in eval_batch.trajectories
                if name in feedback
            ]
            for name in components
        }

    def propose_new_texts(self, candidate, dataset, components):
        texts = {}
        for name in components:
            if not dataset.get(name):
                continue
            feedback = [record["Feedback"] for record in dataset[name]]
            texts[name] = self.ask(
                ask="text", component=name, text=candidate[name], feedback=feedback
            )["text"]
            self.written += 1
        return texts


def search(job):
    adapter = Adapter(job.get("noise"))
    within = WithinCap(job["metricCalls"], adapter)
    result = gepa.optimize(
        seed_candidate=job["texts"],
        trainset=job["train"],
        valset=job["val"],
        adapter=adapter,
        max_metric_calls=job["metricCalls"],
        seed=job["run"],
        logger=Quiet(),
        callbacks=[within],
        raise_on_exception=True,
        reflection_minibatch_size=3,
        **job["options"],
    )
    adapter.clock.stop()
    if adapter.calls != result.total_metric_calls:
        raise AssertionError(f"{adapter.calls} rollouts, {result.total_metric_calls} counted")
    return {
        "texts": within.texts,
        "metricCalls": within.calls,
        "written": within.written,
        "engine": {
            "calls": adapter.calls,
            "candidates": result.num_candidates,
            "wallMs": adapter.clock.wall * 1000,
            "cpuMs": adapter.clock.cpu * 1000,
        },
    }


while line := sys.stdin.readline():
    ask(ask="nothing", result=search(json.loads(line)))
