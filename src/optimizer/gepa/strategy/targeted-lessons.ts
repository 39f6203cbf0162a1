import { checkCount } from "../../../internal/index.ts";
import type { CandidateRecord } from "../../candidate/candidate-record.ts";
import { predictorOf } from "../../candidate/components.ts";
import { lessonMinibatch, costsOnVal } from "./lesson-minibatch.ts";
import { jointComponents } from "./components.ts";
import type { ComponentSelection, MinibatchSampling, SearchView } from "./strategy.ts";
import { roomForLessons } from "../../proposal/case/render-cases.ts";

export interface TargetedLessonsOptions {
  /**
   * Examples shown at a time: the one that the proposal addresses, and others. @default at least 3,
   * and up to 8 where their cases take no more than 6,000 tokens, as `estimateTokens` counts them
   */
  readonly size?: number;
  /**
   * Examples that must have run each component before the first proposal, as far as train has them
   * and a fifth of the metric calls then left covers them. @default 12
   */
  readonly initial?: number;
  /** @default jointComponents() */
  readonly components?: ComponentSelection;
}

/**
 * Uses known lessons before running anything: examples on which the parent, or an ancestor, fell
 * short and whose feedback has not changed the component yet, one per distinct feedback. An example
 * whose lesson failed on this very text is skipped until no other is left, and then retried. When
 * no lesson is left, the parent is run on examples that are new to it.
 */
export function targetedLessons({
  size,
  initial = 12,
  components: selection = jointComponents(),
}: TargetedLessonsOptions = {}): MinibatchSampling {
  const room = { ...roomForLessons, ...(size !== undefined && { least: size, most: size }) };
  checkCount("size", room.most, 1, "targetedLessons()");
  checkCount("initial", initial, 1, "targetedLessons()");
  return {
    name: "targeted-lessons",
    settings: { ...room, initial, components: { name: selection.name, ...selection.settings } },
    exploration: (left) => Math.min(initial, Math.floor(initialShare * left)),
    next: (view, parent, index) => {
      if (isFirst(view, parent) && !isFilled(view, parent, initial)) {
        const most = Math.min(initial, shareLeft(view, parent));
        const count = roomFor(view, parent, most);
        const exampleIds = worthRunning(view, parent).slice(0, count);
        if (exampleIds.length > 0) return { kind: "explore", exampleIds };
      }
      const choice = { index, room, selection };
      const known = lessonMinibatch(view, parent, { ...choice, isForAll: true });
      if (known !== null) return known;
      const worth = worthRunning(view, parent);
      const some = worth.slice(0, roomFor(view, parent, room.least));
      if (some.length > 0) return { kind: "explore", exampleIds: some };
      const ofOne = lessonMinibatch(view, parent, choice);
      if (ofOne !== null) return ofOne;
      // If there is no room at all, requesting one example reveals that the budget has ended.
      const exampleIds = worth.slice(0, 1);
      if (exampleIds.length > 0) return { kind: "explore", exampleIds };
      view.lessons.forgive();
      // A lesson that does not fit shows that the budget has ended, not that the lessons have.
      return (
        lessonMinibatch(view, parent, choice) ??
        lessonMinibatch(view, parent, { ...choice, mustFit: false })
      );
    },
  };
}

/**
 * The share of the metric calls left after the seed's evaluation that runs before the first
 * proposal may take.
 */
const initialShare = 0.2;

/** Runs left in that share. */
function shareLeft(view: SearchView, parent: CandidateRecord): number {
  const done = view.lessons.of(parent.id).size;
  return Math.max(0, Math.floor(initialShare * (view.rolloutsLeft(1) + done)) - done);
}

/**
 * How many examples can be run, up to `most`, with room left for a child's evaluation on val: any
 * child's if possible, else one that takes fewer runs.
 */
function roomFor(view: SearchView, parent: CandidateRecord, most: number): number {
  const costs = costsOnVal(view, parent);
  for (const cost of costs.length === 0 ? [0] : costs.toReversed()) {
    for (let count = most; count > 0; count--)
      if (view.fits({ rollouts: count + cost, reflectionCalls: 1 })) return count;
  }
  return 0;
}

function isFirst({ candidates }: SearchView, { id }: CandidateRecord): boolean {
  return id === 0 && candidates.length === 1;
}

function isFilled(view: SearchView, parent: CandidateRecord, initial: number): boolean {
  const lessons = [...view.lessons.of(parent.id).values()];
  return view.componentsOf(parent).every((component) => {
    const predictor = predictorOf(component);
    return lessons.filter(({ rollout }) => rollout.ran.includes(predictor)).length >= initial;
  });
}

/**
 * Training examples to run the parent on: those it knows nothing about, then those whose lesson it
 * has acted on, since feedback names only the first problem. In an order drawn for this
 * iteration.
 */
function worthRunning(view: SearchView, parent: CandidateRecord): readonly string[] {
  const known = view.lessons.of(parent.id);
  const shuffled = view.random("exploration").shuffle(view.train);
  const isActedOn = (id: string): boolean => (known.get(id)?.actedOn.size ?? 0) > 0;
  return [...shuffled.filter((id) => !known.has(id)), ...shuffled.filter(isActedOn)];
}
