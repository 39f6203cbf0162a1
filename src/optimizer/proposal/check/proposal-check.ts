import type { Candidate } from "../../../contract/index.ts";
import type { RejectionReason } from "../../candidate/candidate-record.ts";
import type { Strategy } from "../../contract/optimizer.ts";
import type { ReflectiveCase } from "../case/reflective-cases.ts";
import { plainText, textsIn } from "../text/plain-text.ts";
import type { SearchSpace, TextComponent } from "../../task/search-space.ts";
import { isText } from "../../task/search-space.ts";

/** What is wrong with a proposed text. */
export interface ProposalCheck extends Strategy {
  /** Why it is rejected before a rollout is spent on it; `null` if it is not. */
  readonly check: (text: string, given: Checked) => Objection | null;
  /**
   * What it loses, as a sentence; `null` if nothing. Its child then needs a gain on val that chance
   * does not explain. @default nothing
   */
  readonly caveat?: (text: string, given: Checked) => string | null;
}

/** What a proposed text is checked against. */
export interface Checked {
  /** The text to be replaced. */
  readonly current: string;
  readonly isTried: boolean;
  /** The cases shown to the writer. */
  readonly cases: readonly ReflectiveCase[];
  /** Texts in the labels of their examples that no other example of train has. @default unknown */
  readonly labels?: readonly string[];
  /** What the program already says: its other texts and its field descriptions. */
  readonly known: readonly string[];
}

/** The same for a text that is to replace a component's in a candidate. */
export function checkedIn(
  {
    component,
    place,
    candidate,
    cases,
  }: {
    readonly component: TextComponent;
    /** See `SearchSpace.describe`. */
    readonly place: string;
    readonly candidate: Candidate;
    readonly cases: readonly ReflectiveCase[];
  },
  { isTried, labels }: { readonly isTried: boolean; readonly labels: OwnLabels },
): Checked {
  return {
    current: component.value,
    isTried,
    cases,
    labels: [...new Set(cases.map(({ exampleId }) => exampleId))].flatMap(labels),
    known: [place, ...candidate.filter(isText).map(({ value }) => value)],
  };
}

export interface Objection {
  readonly reason: RejectionReason;
  readonly detail: string;
}

/** The texts in an example's labels that no other example of train has. */
export type OwnLabels = (exampleId: string) => readonly string[];

/** A label of several examples names a class, which an instruction may well teach. */
export function ownLabels({ train, labelsOf }: Pick<SearchSpace, "train" | "labelsOf">): OwnLabels {
  if (labelsOf === undefined) return () => [];
  const labels = (exampleId: string): ReadonlySet<string> =>
    new Set(textsIn(labelsOf(exampleId)).map(plainText));
  let holders: ReadonlyMap<string, number> | undefined;
  const counted = (): ReadonlyMap<string, number> => {
    const counts = new Map<string, number>();
    for (const text of train.flatMap((id) => [...labels(id)])) {
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
    return counts;
  };
  const found = new Map<string, readonly string[]>();
  return (exampleId) => {
    const known = found.get(exampleId);
    if (known !== undefined) return known;
    const of = (holders ??= counted());
    const own = [...labels(exampleId)].filter((text) => text !== "" && of.get(text) === 1);
    found.set(exampleId, own);
    return own;
  };
}
