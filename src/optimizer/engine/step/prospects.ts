import type { EspalierError } from "../../../errors/index.ts";
import { isRejectedUntried } from "../../candidate/candidate-record.ts";
import type { OptimizerEvent, StopReason } from "../../contract/optimizer-event.ts";
import type { Asked } from "../../contract/optimizer.ts";
import type { EvaluateRequest, Rollout } from "../../evaluation/index.ts";
import type { SearchSpace } from "../../task/search-space.ts";
import { hopeless } from "./hopeless.ts";

/**
 * Watches any search for signs that it can find nothing. It sees what each search is answered and
 * what it decides, so no optimizer looks for itself. Faults of servers are no sign of anything.
 */
export interface Prospects {
  /** Begins a step; the function returned takes its rollouts, in any order, and may throw. */
  begin(requests: readonly EvaluateRequest[]): (place: number, rollout: Rollout) => void;
  /** Takes the answers to one step's calls of the reflection LM. */
  answered(answers: readonly Asked<unknown>[]): void;
  heard(event: OptimizerEvent): void;
  /** Called before the end is recorded. */
  ending(reason: StopReason): void;
  /** Why a search that tried something should end with what it has; `null`: go on. */
  stop(): string | null;
  /** What was thrown, which others may have wrapped. */
  readonly hopeless: EspalierError | undefined;
}

const most = { invalid: 10, unusable: 10, notApplicable: 20, alike: 20, alikePairs: 100 };
const mostUseless = 100;
/** Replies of one round may all have one cause, such as a long prompt; fewer runs say little. */
const fewest = 3;

/** Reasons to reject what no proposer can have meant to write. */
const unusable = new Set<string>(["empty", "polluted", "truncated", "json"]);

export function prospects({
  space: { train, val },
  perfectScore = 1,
  isRepeated,
}: {
  readonly space: Pick<SearchSpace, "train" | "val">;
  /** Of the optimizer's settings; what is no number is never reached. */
  readonly perfectScore: unknown;
  /** Whether recorded events follow: what went on is not ended in hindsight. */
  readonly isRepeated: () => boolean;
}): Prospects {
  let failure: EspalierError | undefined;
  const fail = (...because: Parameters<typeof hopeless>): void => {
    if (!isRepeated()) throw (failure ??= hopeless(...because));
  };
  let isTried = false;

  const replies = { invalid: 0, areAllInvalid: true };
  const lookAtReply = ({ invalid }: Rollout): void => {
    replies.areAllInvalid &&= invalid !== undefined;
    if (!replies.areAllInvalid || isTried) return;
    const count = ++replies.invalid;
    if (count < Math.max(fewest, Math.min(most.invalid, val.length))) return;
    fail("replies", `all of ${count} runs failed on the format of the output: ${invalid}`);
  };

  const isPerfect = (score: Rollout["score"]): boolean =>
    score.kind === "scored" && typeof perfectScore === "number" && score.value >= perfectScore;
  const onTrain = { seen: new Set<string>(), teaches: false };
  const lookAtTrain = ({ exampleId, score }: Rollout): void => {
    onTrain.seen.add(exampleId);
    onTrain.teaches ||= score.kind !== "not-applicable" && !isPerfect(score);
  };

  const onVal = { notApplicable: new Set<string>(), isAnyScored: false, isPerfect: true };
  const firstOn = new Map<string, { readonly by: string; readonly measured: string }>();
  const alike = { candidates: new Set<string>(), pairs: 0, areAll: true };
  const lookAtVal = ({ exampleId, score }: Rollout, by: string): void => {
    if (score.kind === "not-applicable") {
      const { size } = onVal.notApplicable.add(exampleId);
      if (onVal.isAnyScored || size < Math.min(most.notApplicable, val.length)) return;
      fail("metric", `${size} examples without a score`);
    }
    if (score.kind !== "scored") return;
    onVal.isAnyScored = true;
    onVal.isPerfect &&= isPerfect(score);
    if (!alike.areAll) return;
    const measured = JSON.stringify(score);
    const first = firstOn.get(exampleId);
    if (first === undefined) firstOn.set(exampleId, { by, measured });
    alike.areAll = (first?.measured ?? measured) === measured;
    if (first === undefined || first.by === by || !alike.areAll) return;
    const { size } = alike.candidates.add(by);
    if (++alike.pairs < most.alikePairs || size < most.alike) return;
    fail("val", `${size} candidates with the first one's score on each example`);
  };

  const texts = { asked: 0, rounds: new Set<number>(), round: 0, unusable: 0, useless: 0 };
  let last = "";
  const lacksText = (count: number): void =>
    fail("texts", `${count} replies in a row that were unreadable, refused or empty: ${last}`);
  const noteUnusable = (detail: string): void => {
    last = detail;
    texts.unusable++;
    const { size } = texts.rounds.add(texts.round);
    if (!isTried && texts.unusable >= most.unusable && size >= fewest) lacksText(texts.unusable);
  };

  return {
    begin: (requests) => {
      const order = requests.flatMap((request, place) => {
        const by = alike.areAll ? JSON.stringify(request.candidate) : "";
        const isOwn = request.gold === undefined && request.lm === undefined;
        return request.exampleIds.map((id) => ({ ...request, by, isOwn, key: `${place}/${id}` }));
      });
      const arrived = new Map<string, Rollout>();
      let next = 0;
      // In the requested order, so that no verdict depends on what finished first.
      return (place, rollout) => {
        arrived.set(`${place}/${rollout.exampleId}`, rollout);
        for (let one = order[next]; one !== undefined; one = order[next]) {
          const held = arrived.get(one.key);
          if (held === undefined) return;
          next++;
          if (!one.isOwn) continue;
          // A run without a score tells of a server.
          if (held.score.kind !== "unscored") lookAtReply(held);
          if (one.split === "train") lookAtTrain(held);
          else lookAtVal(held, one.by);
        }
      };
    },
    answered: (answers) => {
      texts.asked += answers.length;
      texts.round++;
      for (const answer of answers) {
        if (!answer.ok && answer.failure.kind === "format") noteUnusable(answer.failure.message);
      }
    },
    heard: (event) => {
      if (event.kind === "candidate-proposed" && Object.keys(event.texts).length > 0) {
        isTried = true;
        texts.useless = 0;
      }
      if (event.kind !== "candidate-refused") return;
      const { reason, detail, texts: written } = event;
      if (!isRejectedUntried(reason) || reason === "reflection-fault") return;
      texts.useless++;
      last = detail;
      // A reply without a text was counted as it came.
      if (written === undefined) return;
      if (unusable.has(reason)) noteUnusable(detail);
      else [texts.unusable, texts.rounds] = [0, new Set()];
    },
    ending: (reason) => {
      if (isTried || reason === "perfect" || reason === "stopper") return;
      const { asked, unusable: count } = texts;
      const isCapped = reason === "budget";
      if (!isCapped && count >= fewest && count === asked) lacksText(count);
      const { size } = onTrain.seen;
      if (asked > 0 || onTrain.teaches || size === 0 || onVal.isPerfect) return;
      if (isCapped && size < train.length) return;
      fail("train", `${size} examples with a perfect score, or to which the metric does not apply`);
    },
    stop: () =>
      texts.useless < mostUseless
        ? null
        : `useless-texts: none of the last ${mostUseless} that reflection wrote could be tried: ${last}`,
    get hopeless() {
      return failure;
    },
  };
}
