/** Something that any implementation of GEPA, or of the evaluation under it, should do. */
export interface Behaviour {
  readonly what: string;
  /** Tests that check it, or parts of it, without naming its number. */
  readonly tests?: readonly (readonly [file: string, title: string])[];
  /** Parts of it that are not held to, and why. */
  readonly dropped?: readonly (readonly [part: string, reason: string])[];
}

/**
 * 25 behaviours, drawn from the tests of gepa 0.1.4 and dspy. Tests that check one say so in their
 * title, "behaviour 8: ...", or are named here.
 */
export const behaviours: Readonly<Record<number, Behaviour>> = {
  1: {
    what: "the ledger of metric calls is what the evaluator saw, in the result and in every event",
  },
  2: {
    what: "recorded runs of gepa 0.1.4 are made again, decision by decision, in 13 configurations",
  },
  3: { what: "the same seed gives the same run; so do defaults that are spelled out" },
  4: { what: "events come in order, iterations counted from 1, the seed being 0" },
  5: { what: "acceptance on sums, strict or allowing equal ones; what has no score" },
  6: { what: "a criterion is asked once for each proposal, and refusals tell true reasons" },
  7: { what: "identical children of one iteration are evaluated once" },
  8: {
    what: "Pareto selection follows the frequency in the fronts, dominated candidates are never chosen",
  },
  9: { what: "epsilon 0 and 1, the current best, an invalid epsilon" },
  10: {
    what: "frontiers with the right mapping; missing objectives fail early",
    dropped: [["frontiers over objectives alone", "No program needed them beside val's examples."]],
  },
  11: {
    what: "minibatches in epochs: padding, distinct chunks, shuffled anew; nothing to sample from",
    dropped: [["a train split that grows", "The splits of a run are fixed when it begins."]],
  },
  12: {
    what: "round robin with a pointer for each candidate, inherited, advanced by failures alone",
  },
  13: { what: "what teaches nothing costs the parent's calls alone" },
  14: { what: "an empty proposal is not evaluated, nor told as a candidate" },
  15: { what: "texts are taken out of their fences" },
  16: {
    what: "placeholders are kept; the reflection prompt can be replaced",
    tests: [
      [
        "optimizer/gepa/stage/refused-proposals.test.ts",
        "replaces the shipped one, and the fields follow it all the same",
      ],
    ],
    dropped: [
      [
        "placeholders of a reflection prompt template",
        "An own instruction has none: the fields follow it in any case.",
      ],
      ["a template for one component", "A proposer may hand requests to others, by component."],
    ],
  },
  17: { what: "merges: which pairs, over which ancestors, what comes of them, never twice" },
  18: { what: "rollouts are known by candidate, split and example; train never stands for val" },
  19: {
    what: "a resumed run is the run that was not interrupted, and spends nothing twice",
    tests: [
      [
        "optimizer/journal.merge.test.ts",
        "is repeated from its journal without a call, and to the same result",
      ],
      [
        "optimizer/journal.merge.test.ts",
        "stops on abort and goes on later, asking for nothing it was told",
      ],
      ["optimizer/repetitions.test.ts", "at any concurrency, and when resumed"],
      [
        "optimizer/kills.merge.test.ts",
        "killed at three random moments and resumed, gives the same artifact and asks nothing twice",
      ],
    ],
  },
  20: {
    what: "evaluation on part of val; the best by mean, then by coverage",
    dropped: [["a val split that grows", "The splits of a run are fixed when it begins."]],
  },
  21: { what: "what a failing listener and a failing evaluation do to a run" },
  22: {
    what: "a result survives JSON",
    tests: [
      ["artifact/prompt-layout.test.ts", "an artifact gives the prompts it was compiled with"],
    ],
    dropped: [
      [
        "migration of a result",
        "There is one format so far; what differs is refused, and no field is guessed.",
      ],
    ],
  },
  23: {
    what: "adapters: exact messages, what is parsed, missing fields, one correction where it is allowed",
    tests: [
      ["program/rendered-prompts.test.ts", "of %s are as reviewed"],
      ["program/rendered-prompts.test.ts", "are what is sent"],
      [
        "program/driver/json-driver.test.ts",
        "renders exactly what it sends, with the instruction word for word",
      ],
      [
        "signature/json-schema.test.ts",
        "takes what fits, drops unknown names, and reads null as absent for an optional field",
      ],
      ["signature/json-schema.test.ts", "says of every field what is wrong with it"],
      [
        "program/predictor/predictor.test.ts",
        "reads JSON after thoughts, and with words, tags or a code fence around it",
      ],
      ["program/driver/json-driver.test.ts", "makes %s a format failure in the end"],
      [
        "program/driver/json-driver.test.ts",
        "corrects once, with a seed of its own, and leaves both requests in the trace",
      ],
      ["program/driver/json-driver.test.ts", "makes no correction when it may not"],
    ],
    dropped: [
      [
        "replies in marked sections or XML",
        "No driver asks for them: each is held to a JSON schema.",
      ],
      ["a second adapter as the fallback", "One correction by the same driver takes its place."],
    ],
  },
  24: {
    what: "evaluation: order, scores of failures, the end on an error, who failed, usage over workers",
    tests: [
      [
        "evaluate/evaluate.test.ts",
        "gives one row per example, in the order given, whatever finishes first",
      ],
      [
        "evaluate/evaluate-failures.test.ts",
        "scores format failures as the metric says and counts them apart",
      ],
      [
        "evaluate/evaluate-stops.test.ts",
        "ends on an error of the program, names the example, aborts what runs and starts no more",
      ],
      ["evaluate/failure-table.test.ts", "finds a failure in any repetition"],
      [
        "ledger/ledger.test.ts",
        "goes on from a snapshot that went through JSON, and adds another's counts",
      ],
    ],
    dropped: [
      [
        "a number of errors to put up with",
        "A fault leaves its row unscored under a floor of coverage; an error of the program ends at once.",
      ],
    ],
  },
  25: {
    what: "few-shot: no example is its own demonstration; a program that is saved and loaded is the same",
    tests: [
      ["program/demonstrations.test.ts", "are not shown when their own example is judged"],
      ["artifact/round-trip.test.ts", "is a program with the same components, prompts and outputs"],
      [
        "artifact/round-trip.test.ts",
        "keeps the order of keys in inputs and demonstrations, which is part of the prompt",
      ],
      [
        "artifact/file/read-artifact.test.ts",
        "leaves the old file or the new one, whole, when its process is killed",
      ],
    ],
    dropped: [
      [
        "demonstrations that passed the metric, its threshold and its limit of errors",
        "No optimizer bootstraps demonstrations yet.",
      ],
    ],
  },
};
