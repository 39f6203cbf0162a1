"""One search by DSPy on a task of the table: JSON on standard input, JSON on standard output.

Set up as its documents advise where they say something. With the JSON adapter, requests have a schema
that the server enforces, as espalier's own have.
"""

import contextlib
import json
import math
import re
import sys
from typing import Annotated, Literal

import dspy
import numpy
from pydantic import Field

given = json.load(sys.stdin)
task = given["task"]


class ServedLM(dspy.LM):
    """An LM of a server that enforces schemas, which DSPy does not know of a model by its name."""

    @property
    def supports_response_schema(self):
        return True

    @property
    def supported_params(self):
        return super().supported_params | {"response_format"}


def served(model, phase, **options):
    return ServedLM(
        f"openai/{model}",
        api_base=given["baseUrls"][phase],
        api_key="none",
        **options,
    )


def student_at(phase):
    # Greedy: espalier's own rows are, too.
    return served(given["model"], phase, temperature=0, max_tokens=200)


def annotation(output):
    label = Literal[tuple(output["labels"])]
    if not output.get("isList"):
        return label
    return Annotated[list[label], Field(max_length=len(output["labels"]))]


def program():
    fields = {task["input"]["name"]: (str, dspy.InputField(desc=task["input"]["description"]))}
    for name, output in task["outputs"].items():
        fields[name] = (annotation(output), dspy.OutputField(desc=output["description"]))
    return dspy.Predict(dspy.Signature(fields, task["instruction"]))


def examples(split):
    return [
        dspy.Example(**row["input"], **row["labels"]).with_inputs(*row["input"])
        for row in given["deal"][split]
    ]


def judged(gold, found):
    """As `judged()` of tasks.ts."""
    worth, feedback = [], []
    for name, output in task["outputs"].items():
        said, due = getattr(found, name, None), gold[name]
        if output.get("isList"):
            said = said if isinstance(said, list) else []
            agree = [label for label in output["labels"] if (label in said) == (label in due)]
            worth.append(len(agree) / len(output["labels"]))
        else:
            worth.append(1.0 if said == due else 0.0)
        if worth[-1] != 1:
            feedback.append(f"`{name}` should be {json.dumps(due)}.")
    return sum(worth) / len(worth), " ".join(feedback) or "Right."


def score(gold, found, trace=None):
    return judged(gold, found)[0]


def score_with_feedback(gold, found, trace=None, pred_name=None, pred_trace=None):
    value, feedback = judged(gold, found)
    return dspy.Prediction(score=value, feedback=feedback)


def reflection():
    # Temperature 1, as DSPy's documents advise.
    model = given["reflectionModel"]
    return served(model, "reflection", temperature=1.0, max_tokens=8192)


def words_of(texts):
    """Vectors of words, the rarer the heavier: what stands in for an embedder, as in our rows."""
    words = [set(re.findall(r"\w+", text.lower())) for text in texts]
    known = sorted(set().union(*words))
    weight = {word: math.log(len(texts) / sum(word in each for each in words)) for word in known}

    def vectors(asked):
        rows = []
        for text in asked:
            found = set(re.findall(r"\w+", text.split(" | ")[0].split(": ", 1)[-1].lower()))
            row = numpy.array([weight[word] * (word in found) for word in known])
            rows.append(row / (numpy.linalg.norm(row) or 1))
        return numpy.array(rows)

    return vectors


def search(declared, train, val):
    name, seed = given["search"], given["seed"]
    # Runs that are right almost everywhere are demonstrations: about the best quarter, as ours.
    shown = {"metric": score, "metric_threshold": 0.9}
    if name == "declared":
        return declared
    if name == "random-search":
        optimizer = dspy.BootstrapFewShotWithRandomSearch(
            **shown,
            max_bootstrapped_demos=4,
            max_labeled_demos=16,
            num_candidate_programs=given["programs"],
            num_threads=given["threads"],
        )
        return optimizer.compile(declared, trainset=train, valset=val)
    if name == "knn":
        texts = [" ".join(row["input"].values()) for row in given["deal"]["train"]]
        optimizer = dspy.KNNFewShot(
            k=given["k"],
            trainset=train,
            vectorizer=dspy.Embedder(words_of(texts)),
            max_bootstrapped_demos=0,
            max_labeled_demos=given["k"],
        )
        return optimizer.compile(declared)
    if name == "mipro":
        optimizer = dspy.MIPROv2(
            **shown,
            prompt_model=reflection(),
            auto=None,
            num_candidates=given["candidates"],
            max_bootstrapped_demos=4,
            max_labeled_demos=16,
            num_threads=given["threads"],
            seed=seed,
        )
        return optimizer.compile(
            declared,
            trainset=train,
            valset=val,
            num_trials=given["trials"],
            minibatch_size=given["minibatch"],
            minibatch_full_eval_steps=given["trials"],
        )
    if name == "gepa":
        optimizer = dspy.GEPA(
            metric=score_with_feedback,
            max_metric_calls=given["budget"],
            reflection_lm=reflection(),
            num_threads=given["threads"],
            seed=seed,
        )
        return optimizer.compile(declared, trainset=train, valset=val)
    raise SystemExit(f"No search is named {name}.")


def results_on(found, split):
    """Scores of the rows of a split, and what they were answered."""
    with dspy.context(lm=student_at(split)):
        evaluate = dspy.Evaluate(devset=examples(split), metric=score, num_threads=given["threads"])
        results = evaluate(found).results
    scores = [round(float(value), 4) for _, _, value in results]
    said = [[said[name] for name in task["outputs"] if name in said] for _, said, _ in results]
    return scores, said


def main():
    dspy.configure_cache(enable_disk_cache=False, enable_memory_cache=True)
    adapter = dspy.JSONAdapter() if given["adapter"] == "json" else dspy.ChatAdapter()
    # A reply that cannot be read is a failure of its row, and ends nothing.
    dspy.configure(lm=student_at("search"), adapter=adapter, max_errors=10**6)
    found = search(program(), examples("train"), examples("val")[: given["valRows"]])
    predictor = found.predictors()[0]
    test, said = results_on(found, "test")
    further, _ = results_on(found, "further")
    return {
        "test": test,
        "said": said,
        "further": further,
        "instruction": predictor.signature.instructions,
        "demonstrations": len(predictor.demos),
    }


if __name__ == "__main__":
    # DSPy prints while it searches.
    with contextlib.redirect_stdout(sys.stderr):
        result = main()
    print(json.dumps(result))
