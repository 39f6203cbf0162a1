import { EspalierError } from "../../errors/index.ts";
import { isRejectedUntried } from "../candidate/candidate-record.ts";
import type { OptimizerEvent } from "../contract/optimizer-event.ts";
import type { Asked, Optimizer, OptimizerOutcome } from "../contract/optimizer.ts";
import type { EvaluateRequest, Rollout } from "../evaluation/index.ts";
import type { SearchSpace } from "../task/search-space.ts";

/** Runs of other candidates than the seed: what it lacks, an example or a sentence may cure. */
const maxInvalid = 10;
const maxUnusable = 10;
/** Replies of one round may all have one cause, such as a long prompt; fewer runs say little. */
const fewest = 3;

/** Reasons to reject what no proposer can have meant to write. */
const unusable = new Set<string>(["empty", "polluted", "truncated", "json"]);

export type Prospects = ReturnType<typeof prospects>;

/**
 * Watches any search for signs that it can find nothing. It sees what each search is answered and
 * what it decides, so no optimizer looks for itself. Faults of servers are no sign of anything.
 */
export function prospects({
  space: { components, train, val },
  optimizer: { perfectScore = 1, hasParts = false },
  isRepeated,
}: {
  readonly space: Pick<SearchSpace, "components" | "train" | "val">;
  readonly optimizer: Pick<Optimizer, "perfectScore" | "hasParts">;
  /** Whether recorded events follow: what went on is not ended in hindsight. */
  readonly isRepeated: () => boolean;
}) {
  let failure: EspalierError | undefined;
  const fail = (...because: Parameters<typeof hopeless>): void => {
    if (!isRepeated()) throw (failure ??= hopeless(...because));
  };
  const own = JSON.stringify(components);
  let isTried = false;

  const replies = { invalid: 0, ofOthers: 0, areAllInvalid: true, last: "" };
  const isReplyLacking = (): boolean => replies.areAllInvalid && replies.invalid >= fewest;
  const lacksReply = (): void =>
    fail("replies", `all of ${replies.invalid} runs failed on the output format: ${replies.last}`);
  const lookAtReply = ({ invalid, score }: Rollout, isOther: boolean): void => {
    // A run without a score tells of a server.
    if (score.kind === "unscored") return;
    replies.areAllInvalid &&= invalid !== undefined;
    replies.invalid++;
    if (isOther) replies.ofOthers++;
    replies.last = invalid ?? "";
  };

  const isPerfect = (score: Rollout["score"]): boolean =>
    score.kind === "scored" && score.value >= (perfectScore ?? Infinity);
  const onTrain = { seen: new Set<string>(), teaches: false };
  const onVal = { notApplicable: new Set<string>(), isAnyScored: false, isPerfect: true };
  const lookAtScore = ({ exampleId, score }: Rollout, split: EvaluateRequest["split"]): void => {
    if (split === "train") {
      onTrain.seen.add(exampleId);
      onTrain.teaches ||= score.kind !== "not-applicable" && !isPerfect(score);
      return;
    }
    if (score.kind === "not-applicable") onVal.notApplicable.add(exampleId);
    if (score.kind !== "scored") return;
    onVal.isAnyScored = true;
    onVal.isPerfect &&= isPerfect(score);
  };
  const lacksScore = (): void => fail("metric", `${onVal.notApplicable.size} examples without one`);

  const texts = { asked: 0, rounds: new Set<number>(), round: 0, unusable: 0, last: "" };
  const lacksText = (): void => {
    if (isReplyLacking()) lacksReply();
    fail(
      "texts",
      `${texts.unusable} replies in a row that were unreadable, refused or empty: ${texts.last}`,
    );
  };
  const noteUnusable = (detail: string): void => {
    texts.last = detail;
    texts.unusable++;
    const { size } = texts.rounds.add(texts.round);
    if (!isTried && !hasParts && texts.unusable >= maxUnusable && size >= fewest) lacksText();
  };

  return {
    /** Takes the rollouts of a step, by request. */
    evaluated: (
      requests: readonly EvaluateRequest[],
      rollouts: readonly (readonly Rollout[])[],
    ): void => {
      for (const [index, { candidate, split, gold, lm }] of requests.entries()) {
        // What another LM, or a label, says in the program's place.
        if (gold !== undefined || lm !== undefined) continue;
        // Long candidates are written out only while it matters which is which.
        const isOther = replies.areAllInvalid && JSON.stringify(candidate) !== own;
        for (const rollout of rollouts[index] ?? []) {
          lookAtReply(rollout, isOther);
          lookAtScore(rollout, split);
        }
      }
      if (!hasParts && replies.areAllInvalid && replies.ofOthers >= maxInvalid) lacksReply();
      if (!onVal.isAnyScored && onVal.notApplicable.size === val.length) lacksScore();
    },
    /** Takes the answers to one step's calls of the reflection LM. */
    answered: (answers: readonly Asked<unknown>[]): void => {
      texts.asked += answers.length;
      texts.round++;
      for (const answer of answers) {
        if (!answer.ok && answer.failure.kind === "format") noteUnusable(answer.failure.message);
      }
    },
    heard: (event: OptimizerEvent): void => {
      if (event.kind === "candidate-proposed") isTried ||= Object.keys(event.texts).length > 0;
      if (event.kind !== "candidate-refused") return;
      const { reason, detail, texts: written } = event;
      // A reply without a text was counted as it came.
      if (written === undefined || !isRejectedUntried(reason)) return;
      if (unusable.has(reason)) noteUnusable(detail);
      else [texts.unusable, texts.rounds] = [0, new Set()];
    },
    /** Called before the end is recorded. */
    ending: ({ reason }: Pick<OptimizerOutcome, "reason">): void => {
      if (reason === "stopper") return;
      if (isReplyLacking()) lacksReply();
      if (!onVal.isAnyScored && onVal.notApplicable.size > 0) lacksScore();
      if (isTried) return;
      const isCapped = reason === "budget";
      if (!isCapped && texts.unusable >= fewest && texts.unusable === texts.asked) lacksText();
      const { size } = onTrain.seen;
      if (texts.asked > 0 || onTrain.teaches || size === 0 || onVal.isPerfect) return;
      if (isCapped && size < train.length) return;
      fail("train", `${size} examples with a perfect score, or to which the metric does not apply`);
    },
    /** What was thrown, which others may have wrapped. */
    get hopeless(): EspalierError | undefined {
      return failure;
    },
  };
}

const ended = "The search ended because";

/** What makes a search hopeless. */
type Cause = "replies" | "texts" | "train" | "metric";

/** What to say of each cause, and what to do about it. */
const causes: Readonly<Record<Cause, Record<"problem" | "expected" | "fix", string>>> = {
  replies: {
    problem: `${ended} every reply was invalid`,
    expected: "replies that have the program's output fields",
    fix: "Try a model that can write such replies, show an example of one in the instruction, or ask for fewer or simpler fields.",
  },
  texts: {
    problem: `${ended} no reply of the reflection LM could be used`,
    expected: "a new text in the reply",
    fix: "Choose another reflection LM (`--reflection-lm`, `reflectionLm`), or let it write longer replies.",
  },
  train: {
    problem: "The search found nothing to learn from in train",
    expected: "examples in `train` that the program gets wrong, as it does some in `val`",
    fix: "Put harder examples into `train`, or make the metric stricter.",
  },
  metric: {
    problem: `${ended} val cannot tell candidates apart: the metric applies to none of its examples`,
    expected: "scores for examples in `val`",
    fix: "Give the examples in `val` the labels that the metric needs, or choose another metric.",
  },
};

/** The error that ends a search which can find nothing. */
function hopeless(cause: Cause, got: string): EspalierError {
  const { fix, ...report } = causes[cause];
  return new EspalierError({
    code: "search-hopeless",
    ...report,
    got,
    fix: `${fix} Then start a new run: resuming would repeat the same replies.`,
  });
}
