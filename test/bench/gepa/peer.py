"""Runs gepa (Python) on keyword tasks and on the busy task, for the bench beside it.

Reads one JSON object from standard input and writes one JSON line for each job, in order. What the
tasks mean is in test/support/yardstick/coupled-task.ts and busy-task.ts; scores that count are computed
there again, from the texts that are written here.
"""

import json
import math
import random
import re
import sys
import tempfile
import time

import gepa
from gepa import EvaluationBatch

# The engine puts the text and what is said of it between these marks; the stand-in reads them back.
TEMPLATE = "[text]\n<curr_param>\n[/text]\n[said]\n<side_info>\n[/said]"


class Quiet:
    def log(self, *_, **__):
        pass


class NotBeyond:
    """Remembers the best texts that were known when at most `cap` metric calls were spent."""

    def __init__(self, cap):
        self.cap, self.texts, self.calls, self.reflections = cap, None, 0, 0
        self.asked = lambda: 0

    def on_iteration_start(self, event):
        if self.texts is None:
            self.look(event["state"])

    def on_iteration_end(self, event):
        self.look(event["state"])

    def look(self, state):
        if self.texts is not None and state.total_num_evals > self.cap:
            return
        means = [sum(s.values()) / len(s) for s in state.prog_candidate_val_subscores]
        self.texts = state.program_candidates[means.index(max(means))]
        self.calls, self.reflections = state.total_num_evals, self.asked()


def fnv1a32(text):
    value = 0x811C9DC5
    for byte in text.encode():
        value = ((value ^ byte) * 0x01000193) % 2**32
    return value


class Keywords:
    """A keyword task as an adapter; validation examples are never asked for traces."""

    def __init__(self, task, seed):
        self.task, self.calls = task, 0
        self.noise = random.Random(f"noise/{task['name']}/{task['seed']}/{seed}")
        self.train_ids = {example["id"] for example in task["train"]}
        self.propose_new_texts = None

    def score(self, example, texts):
        shares, held, required, unwanted, forbidden = [], 0, 0, 0, 0
        for name, needs in example["needs"].items():
            words = set(texts[name].split())
            found = sum(word in words for word in needs["required"])
            shares.append(found / len(needs["required"]))
            held, required = held + found, required + len(needs["required"])
            unwanted += sum(word in words for word in needs["forbidden"])
            forbidden += len(needs["forbidden"])
        if self.task["scoring"] == "product":
            return math.prod(shares)
        return max(0.0, held / required - (0.5 * unwanted / forbidden if forbidden else 0))

    def seen(self, score):
        if not self.task["noise"]:
            return score
        return min(1.0, max(0.0, self.noise.gauss(score, self.task["noise"])))

    def evaluate(self, batch, candidate, capture_traces=False):
        self.calls += len(batch)
        scores = [self.seen(self.score(example, candidate)) for example in batch]
        return EvaluationBatch(
            outputs=scores,
            scores=scores,
            trajectories=list(zip(batch, scores)) if capture_traces else None,
        )

    def make_reflective_dataset(self, candidate, eval_batch, components):
        shown = {}
        for name in components:
            shown[name] = []
            for example, score in eval_batch.trajectories:
                if example["id"] not in self.train_ids:
                    raise AssertionError(f"Reflection was shown {example['id']}.")
                said = self.directive(example, name, candidate)
                if said is not None:
                    shown[name].append({"Example": example["id"], "Score": f"{score:.3f}", "Feedback": said})
        return shown

    @staticmethod
    def directive(example, name, texts):
        needs = example["needs"].get(name)
        if needs is None:
            return None
        words = set(texts[name].split())
        for word in needs["required"]:
            if word not in words:
                return f"ADD {word}"
        for word in needs["forbidden"]:
            if word in words:
                return f"REMOVE {word}"
        return None


def stand_in(task_seed, never_repeats):
    asked = [0]

    def answer(prompt):
        text = prompt.partition("[text]\n")[2].partition("\n[/text]")[0]
        said = prompt.partition("[said]\n")[2].partition("\n[/said]")[0]
        words = [word for word in text.split() if not word.startswith("filler")]
        is_bad = fnv1a32(f"{task_seed}:{asked[0]}") % 4 == 0
        asked[0] += 1
        if is_bad:
            places = [place for place, word in enumerate(words) if word.startswith("kw_")]
            if places:
                del words[places[-1]]
        else:
            for operation, keyword in re.findall(r"(ADD|REMOVE) (kw_[qa]\d\d)", said):
                if operation == "ADD" and keyword not in words:
                    words.append(keyword)
                    break
                if operation == "REMOVE" and keyword in words:
                    words.remove(keyword)
                    break
        if never_repeats:
            words.append(f"filler{asked[0]}")
        return "```\n" + " ".join(words) + "\n```"

    answer.asked = lambda: asked[0]
    return answer


def search(tasks, job):
    task = tasks[job["task"]]
    adapter, lm, kept = Keywords(task, job["seed"]), stand_in(task["seed"], job["neverRepeats"]), NotBeyond(job["metricCalls"])
    kept.asked = lm.asked
    result = gepa.optimize(
        seed_candidate=dict(task["texts"]),
        trainset=task["train"],
        valset=task["val"],
        adapter=adapter,
        reflection_lm=lm,
        reflection_prompt_template=TEMPLATE,
        reflection_minibatch_size=3,
        max_metric_calls=job["metricCalls"],
        seed=job["seed"],
        logger=Quiet(),
        callbacks=[kept],
        raise_on_exception=True,
        **job["options"],
    )
    if adapter.calls != result.total_metric_calls:
        raise AssertionError(f"{adapter.calls} rollouts, {result.total_metric_calls} counted")
    return {"texts": kept.texts, "metricCalls": kept.calls, "reflectionCalls": kept.reflections}


class Busy:
    """The task of busy-task.ts; `seconds` and `cpu_seconds` are its own time."""

    def __init__(self):
        self.calls, self.seconds, self.cpu_seconds, self.propose_new_texts = 0, 0.0, 0.0, None

    def evaluate(self, batch, candidate, capture_traces=False):
        started, cpu = time.perf_counter(), time.process_time()
        self.calls += len(batch)
        scores = []
        for example in batch:
            text = candidate[example["component"]]
            jitter = fnv1a32(f"{example['id']} {text}") % 1000
            scores.append(1 - 0.9 / (1 + int(text.split(" ")[1]) / 50) - jitter / 1e6)
        self.cpu_seconds += time.process_time() - cpu
        self.seconds += time.perf_counter() - started
        return EvaluationBatch(outputs=scores, scores=scores, trajectories=list(batch) if capture_traces else None)

    def make_reflective_dataset(self, candidate, eval_batch, components):
        return {
            name: [
                {"Example": example["id"], "Feedback": f"Raise the level of {example['id']}."}
                for example in eval_batch.trajectories
                if example["component"] == name
            ]
            for name in components
        }


def busy_lm():
    asked = [0]

    def answer(prompt):
        name, level, _ = prompt.partition("[text]\n")[2].partition("\n[/text]")[0].split(" ")
        asked[0] += 1
        step = 1 if fnv1a32(f"busy:{asked[0]}") % 2 == 0 else -1
        return f"```\n{name} {max(0, int(level) + step)} {asked[0]}\n```"

    return answer


def busy(job):
    def examples(split, count):
        return [{"id": f"{split}{place}", "component": ("first", "second")[place % 2]} for place in range(count)]

    adapter = Busy()
    with tempfile.TemporaryDirectory() as folder:
        cpu, started = time.process_time(), time.perf_counter()
        result = gepa.optimize(
            seed_candidate={"first": "first 0 0", "second": "second 0 0"},
            trainset=examples("train", 30),
            valset=examples("val", 20),
            adapter=adapter,
            reflection_lm=busy_lm(),
            reflection_prompt_template=TEMPLATE,
            reflection_minibatch_size=3,
            max_metric_calls=job["busy"],
            seed=0,
            logger=Quiet(),
            run_dir=folder,
            raise_on_exception=True,
        )
        wall, cpu = time.perf_counter() - started, time.process_time() - cpu
    return {
        "calls": adapter.calls,
        "candidates": result.num_candidates,
        "wallMicros": (wall - adapter.seconds) * 1e6 / adapter.calls,
        "cpuMicros": (cpu - adapter.cpu_seconds) * 1e6 / adapter.calls,
    }


given = json.load(sys.stdin)
for job in given["jobs"]:
    print(json.dumps(busy(job) if "busy" in job else search(given["tasks"], job)), flush=True)
