import type { CandidateRecord, FrontierKind, Lessons, SearchView } from "espalier/optimizer";
import type { Component } from "../../../../src/contract/index.ts";
import { randomSource } from "../../../../src/internal/index.ts";
import { lessons } from "../../../../src/optimizer/gepa/evidence/lessons.ts";
import { frontier } from "../../../../src/optimizer/gepa/strategy/frontier.ts";
import type { TextComponent } from "../../../../src/optimizer/task/search-space.ts";

export type Scores = Readonly<Record<string, number | null>>;

/** Random scores of up to 12 candidates on five examples: few values, so that ties are common. */
export function scoreTable(seed: number): readonly Scores[] {
  const draws = randomSource(seed, "score table");
  return Array.from({ length: 1 + draws.below(12) }, () =>
    Object.fromEntries(
      ["a", "b", "c", "d", "e"].map((id) => [id, draws.below(7) === 0 ? null : draws.below(4)]),
    ),
  );
}

export function meanOf(scores: Scores = {}): number {
  const scored = Object.values(scores).filter((score) => score !== null);
  return scored.reduce((sum, score) => sum + score, 0) / Math.max(1, scored.length);
}

export function candidateOf(
  id: number,
  scores: Scores,
  rest: Partial<CandidateRecord> = {},
): CandidateRecord {
  return {
    id,
    components: [],
    parents: id === 0 ? [] : [0],
    iteration: 0,
    changed: [],
    learntFrom: [],
    selection: { value: meanOf(scores), scores, coverage: 1 },
    acceptance: { by: "test", detail: "Made by a test." },
    metricCallsBefore: 0,
    ...rest,
  };
}

export interface ViewParts {
  readonly candidates: readonly CandidateRecord[];
  readonly best?: number;
  readonly iteration?: number;
  readonly seed?: number;
  readonly frontier?: FrontierKind;
  readonly train?: readonly string[];
  readonly lessons?: Lessons;
  readonly pointer?: number;
  readonly perfectScore?: number | null;
  readonly rolloutsLeft?: number;
  readonly neededOnVal?: (changed: readonly Component[]) => number;
}

/** What a strategy would see of a search that stands so. */
export function searchView({
  candidates,
  iteration = 1,
  seed = 0,
  rolloutsLeft = Infinity,
  ...parts
}: ViewParts): SearchView {
  const held = frontier(parts.frontier ?? "instance");
  for (const candidate of candidates) held.add(candidate);
  const values = candidates.map(({ selection }) => selection.value);
  const best = parts.best ?? values.indexOf(Math.max(...values));
  return {
    iteration,
    candidates,
    best: candidates[best] as CandidateRecord,
    frontier: held,
    train: parts.train ?? [],
    lessons: parts.lessons ?? lessons(),
    pointerOf: () => parts.pointer ?? 0,
    componentsOf: ({ components }) => components as readonly TextComponent[],
    perfectScore: parts.perfectScore === undefined ? 1 : parts.perfectScore,
    fits: ({ rollouts }) => rollouts <= rolloutsLeft,
    rolloutsLeft: () => rolloutsLeft,
    neededOnVal: (changed) => parts.neededOnVal?.(changed) ?? 0,
    random: (purpose, index = 0) => randomSource(seed, `${purpose}/${index}`, iteration),
    randomOfRun: (purpose, number) => randomSource(seed, purpose, number),
  };
}
