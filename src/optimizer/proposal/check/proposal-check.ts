import { once } from "../../../internal/index.ts";
import type { RejectionReason } from "../../candidate/candidate-record.ts";
import type { Strategy } from "../../contract/optimizer.ts";
import type { ReflectiveCase } from "../case/reflective-cases.ts";
import { plainText, textsIn } from "../text/plain-text.ts";
import type { SearchSpace } from "../../task/search-space.ts";

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
  const shared = once(() => {
    const [some, several] = [new Set<string>(), new Set<string>()];
    for (const text of train.flatMap((id) => [...labels(id)])) {
      (some.has(text) ? several : some).add(text);
    }
    return several;
  });
  return (exampleId) => [...labels(exampleId)].filter((text) => text !== "" && !shared().has(text));
}
