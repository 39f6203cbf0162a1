import type { Candidate, Component } from "../../../contract/index.ts";
import { componentId, deepFreeze } from "../../../internal/index.ts";
import { bestOf } from "../../candidate/candidate-measures.ts";
import type { CandidateRecord, Rejection, Selection } from "../../candidate/candidate-record.ts";
import { componentText } from "../../candidate/components.ts";
import type { OptimizerRun } from "../../contract/optimizer.ts";
import { acceptedEvent, onPart } from "../../contract/search-log.ts";
import type { Rollout, StepEvaluation } from "../../evaluation/index.ts";
import { selectionOf } from "../../evaluation/index.ts";
import type { OwnLabels } from "../../proposal/check/proposal-check.ts";
import { ownLabels } from "../../proposal/check/proposal-check.ts";
import { plainText } from "../../proposal/text/plain-text.ts";
import type { SearchSpace, TextComponent } from "../../task/search-space.ts";
import { textComponents } from "../../task/search-space.ts";
import { sampleOf, sampleSize } from "../../task/val-sample.ts";
import type { EvaluationRequest } from "../evidence/evaluate-with-reuse.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { startEvidence } from "../evidence/evidence.ts";
import type { GepaSettings } from "../settings/gepa-settings.ts";
import { rounding } from "../strategy/acceptance.ts";
import type { Frontier } from "../strategy/frontier.ts";
import { frontier } from "../strategy/frontier.ts";
import type { SearchView } from "../strategy/strategy.ts";

/** What else comes with a new candidate. */
interface Accepted {
  /** Whether it becomes the best if its parent was the best. @default false */
  readonly supersedes?: boolean;
  /** Examples whose lessons it was to heed, and the components changed for that. @default none */
  readonly actedOn?: {
    readonly exampleIds: readonly string[];
    readonly components: readonly Component[];
  };
  /** Its own rollouts on train. @default none */
  readonly onTrain?: readonly Rollout[];
}

/**
 * A search as it goes on: what stages read, and the methods by which they decide, which note and
 * report each decision. What runs have shown is in `evidence`, which reports the runs itself.
 */
export class Search {
  readonly #whole: SearchSpace;
  readonly run: OptimizerRun;
  readonly settings: GepaSettings;
  /** Ids of the components that may change, in the space's order. */
  readonly changeable: readonly string[];
  readonly evidence: Evidence;
  readonly ownLabels: OwnLabels;
  readonly tried: TriedTexts = triedTexts();
  /** Its val is the sample that candidates are compared on. */
  space: SearchSpace;
  /** Iterations begun. */
  iteration = 0;
  /** All accepted candidates, by id. */
  candidates: readonly CandidateRecord[] = [];
  rejections: readonly Rejection[] = [];
  frontier: Frontier;
  /** Iterations in a row that spent no metric call on a new text. */
  idle = 0;
  /** Whether the budget allows no further attempt. */
  isOverBudget = false;
  /** Whether score reuse was found wrong and the best candidate confirmed since, if it could be. */
  isReuseOver = false;
  /** Consecutive failures of the proposer: of `all` texts, and of a component's under its id. */
  readonly #failures = new Map<string, number>();
  /** By candidate id: index of the component that its next child changes. */
  readonly #pointers: number[] = [];
  #best: CandidateRecord | undefined;
  /** Ids of the candidates that supersede their parent although they only match it. */
  #superseding: ReadonlySet<number> = new Set();
  /** Ids of the candidates that this iteration has added. */
  #accepted: readonly number[] = [];

  constructor(whole: SearchSpace, run: OptimizerRun, settings: GepaSettings) {
    this.#whole = whole;
    this.run = run;
    this.settings = settings;
    this.changeable = textComponents(whole, settings.components).map(componentId);
    this.evidence = startEvidence(whole, run, settings.search);
    this.ownLabels = ownLabels(whole);
    this.frontier = frontier(settings.search.frontier);
    this.space = this.onSample(
      sampleSize(whole, settings.search.valSample, run.rolloutsExpected()),
    );
  }

  /** There is none before the seed is accepted. */
  get best(): CandidateRecord {
    return this.#best as CandidateRecord;
  }

  /** The longest present streak of failures of the proposer. */
  get failureStreak(): number {
    return Math.max(0, ...this.#failures.values());
  }

  /** The space with so many examples of val. */
  onSample(size: number): SearchSpace {
    return { ...this.#whole, val: sampleOf(this.#whole.val, size, this.run.seed) };
  }

  /** The components that may change with a candidate's values. */
  componentsOf({ components }: CandidateRecord): readonly TextComponent[] {
    return components.filter((one): one is TextComponent =>
      this.changeable.includes(componentId(one)),
    );
  }

  evaluate(requests: readonly EvaluationRequest[]): Promise<readonly StepEvaluation[]> {
    return this.evidence.evaluate(this.iteration, requests);
  }

  /** Rollouts that a candidate's evaluation on val takes: the unknown ones. */
  missingOnVal(components: Candidate): number {
    return this.evidence.missingOn("val", this.space.val, components);
  }

  /** Results on the sample; `null` if faults left too little of it to judge. */
  selectionOf(evaluation: StepEvaluation): Selection | null {
    const selection = selectionOf(evaluation);
    return selection && onPart(selection, this.space.val.length, this.#whole.val.length);
  }

  /** The search as strategies see it. Lessons and the remaining budget are always current. */
  view(): SearchView {
    const { run, space, evidence, settings, iteration, candidates } = this;
    return {
      iteration,
      candidates,
      best: this.best,
      frontier: this.frontier,
      train: space.train,
      lessons: evidence.lessons,
      perfectScore: settings.search.perfectScore,
      pointerOf: (candidate) => this.#pointers[candidate] ?? 0,
      componentsOf: (candidate) => this.componentsOf(candidate),
      fits: (need) => run.fits(need),
      rolloutsLeft: (reflectionCalls) => run.rolloutsLeft(reflectionCalls),
      neededOnVal: (changed) => evidence.maxMissingOn(space.val, changed),
      random: (purpose, index = 0) => run.random(`gepa/${purpose}/${index}`, iteration),
      randomOfRun: (purpose, number) => run.random(`gepa/${purpose}`, number),
    };
  }

  beginIteration(): void {
    this.iteration++;
    this.#accepted = [];
    this.run.emit({ kind: "iteration-start", iteration: this.iteration });
  }

  /** Makes a checkpoint if the iteration added candidates. */
  endIteration(): void {
    const accepted = Object.freeze([...this.#accepted]);
    this.run.emit({ kind: "iteration-end", iteration: this.iteration, accepted });
    if (accepted.length === 0) return;
    this.run.checkpoint();
    this.idle = 0;
  }

  skip(
    parent: number,
    reason: "all-perfect" | "not-invoked" | "low-coverage" | "nothing-left",
  ): void {
    this.run.emit({ kind: "proposal-skipped", iteration: this.iteration, parent, reason });
  }

  /** Gives the next child of a candidate another component's turn. */
  moveTurn(candidate: number, pointer: number): void {
    this.#pointers[candidate] = pointer;
  }

  /** Tells what was spent on texts. */
  textsRequested(): void {
    this.run.emit({ kind: "budget-spent", iteration: this.iteration, ...this.run.spent });
  }

  /** Counts consecutive failures: over all texts, and per component. */
  textWritten(component: string, isFailure: boolean): void {
    for (const name of ["all", component]) {
      this.#failures.set(name, isFailure ? (this.#failures.get(name) ?? 0) + 1 : 0);
    }
  }

  /** @param texts new texts by component */
  propose(parents: readonly number[], texts: Readonly<Record<string, string>>): void {
    const { iteration } = this;
    this.run.emit({ kind: "candidate-proposed", iteration, ...deepFreeze({ parents, texts }) });
  }

  reject(rejected: Omit<Rejection, "iteration">): void {
    const rejection: Rejection = deepFreeze({ iteration: this.iteration, ...rejected });
    this.run.emit({ kind: "candidate-refused", ...rejection });
    this.rejections = this.rejections.concat(rejection);
  }

  /** Adds a candidate; its children continue with the component after the one it changed. */
  accept(
    { components, parents, ...found }: Omit<CandidateRecord, "id" | "iteration">,
    {
      supersedes = false,
      actedOn = { exampleIds: [], components: [] },
      onTrain = [],
    }: Accepted = {},
  ): void {
    const { candidates, iteration, evidence } = this;
    const id = candidates.length;
    const candidate = deepFreeze({ id, components, parents, iteration, ...found });
    this.frontier.add(candidate);
    const before = candidates[parents[0] ?? -1]?.components ?? [];
    for (const [index, component] of components.entries()) {
      if (component !== before[index]) this.tried.add(component, true);
    }
    evidence.lessons.inherit(candidate, actedOn);
    evidence.lessons.add(id, onTrain);
    this.candidates = candidates.concat(candidate);
    this.run.emit(acceptedEvent(candidate, this.candidates));
    if (supersedes) this.#superseding = this.#superseding.union(new Set([id]));
    this.#pointers.push(Math.max(0, ...parents.map((parent) => this.#pointers[parent] ?? 0)));
    const best = this.#best;
    this.#best = bestOf(best === undefined ? [candidate] : [best, candidate], this.#superseding);
    this.#accepted = [...this.#accepted, id];
  }

  /**
   * Replaces a candidate's scores, with which it was accepted, by its own; it or others may fall
   * behind by these.
   */
  confirm({ id }: CandidateRecord, selection: Selection): void {
    const confirmed = deepFreeze({ ...(this.candidates[id] as CandidateRecord), selection });
    const candidates = this.candidates.with(id, confirmed);
    this.candidates = candidates;
    this.frontier = frontier(this.settings.search.frontier);
    for (const one of candidates) this.frontier.add(one);
    const { iteration } = this;
    this.run.emit({ kind: "candidate-confirmed", iteration, candidate: id, selection });
    this.#superseding = new Set(
      [...this.#superseding].filter((child) => !isBehindParent(candidates[child], candidates)),
    );
    this.#best = bestOf(candidates, this.#superseding);
  }

  /** Makes the best of these candidates the best, if there are any. */
  chooseBest(among: readonly CandidateRecord[]): void {
    this.#best = bestOf(among, this.#superseding) ?? this.#best;
  }
}

function isBehindParent(
  child: CandidateRecord | undefined,
  candidates: readonly CandidateRecord[],
): boolean {
  const valueOf = (one: CandidateRecord | undefined): number => one?.selection.value ?? -Infinity;
  const { parents = [] } = child ?? {};
  return parents.some((parent) => valueOf(child) < valueOf(candidates[parent]) - rounding);
}

/** Texts of components that need no further trial. They ignore whitespace. */
interface TriedTexts {
  has(component: Component, text: string): boolean;
  /**
   * Adds a trial of a component's text. A text has been tried after a trial that decides, such as
   * on val with nothing else changed, or after three others: a few examples, or a change beside it,
   * may have hidden what it is worth.
   */
  add(component: Component, isDecided: boolean): void;
}

/** Trials that do not decide, after which a text has been tried all the same. */
const maxTrials = 3;

export function triedTexts(): TriedTexts {
  const trials = new Map<string, number>();
  const keyOf = (component: Component, text: string): string =>
    `${componentId(component)}\n${plainText(text)}`;
  return {
    has: (component, text) => (trials.get(keyOf(component, text)) ?? 0) >= maxTrials,
    add: (component, isDecided) => {
      const key = keyOf(component, componentText(component));
      trials.set(key, (trials.get(key) ?? 0) + (isDecided ? maxTrials : 1));
    },
  };
}
