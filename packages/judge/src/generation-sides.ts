import type { MetricArguments, Passage } from "../../../src/index.ts";
import type { RelevantGrades } from "../../../src/metric/index.ts";
import type { Answerability } from "./conditioning.ts";
import { answerabilityOf } from "./conditioning.ts";

/** The names of the fields of a generation; a misspelt name does not compile in a study. */
export interface GenerationSides<
  TAnswer extends string,
  TPassages extends string,
  TReference extends string,
  TAnswerability extends string,
  TRelevant extends string = never,
> {
  /** Output field that holds the response. */
  readonly answer: TAnswer;
  /** Output field with the passages on which the response is based. */
  readonly passages: TPassages;
  /**
   * Label that holds the reference response; if it is blank or absent, objectives that compare with
   * it do not apply.
   */
  readonly reference: TReference;
  /**
   * Label that says whether the question can be answered. If it is missing, MTRAG's other spelling
   * is tried; an example with neither is an error: see `answerabilityOf`.
   */
  readonly answerability: TAnswerability;
  /**
   * Label with the grade of each relevant passage, to distinguish declining without evidence from
   * declining despite evidence. @default retrieval is not considered
   */
  readonly relevant?: TRelevant;
}

export type GenerationOutput<TAnswer extends string, TPassages extends string> = {
  readonly [K in TAnswer]: string;
} & { readonly [K in TPassages]: readonly Passage[] };

export type GenerationLabels<
  TReference extends string,
  TAnswerability extends string,
  TRelevant extends string = never,
> = {
  readonly [K in TReference]?: string;
} & { readonly [K in TAnswerability]?: Answerability } & {
  readonly [K in TRelevant]?: RelevantGrades;
};

/** Whether a response had a relevant passage. */
export type Evidence = "there" | "missed";

/** The parts of one generation. */
export interface Generation {
  readonly response: string;
  readonly passages: readonly Passage[];
  /** `undefined` if there is none. */
  readonly reference: string | undefined;
  readonly answerability: Answerability;
  /** Absent if no passage is known to be relevant. */
  readonly evidence?: Evidence;
}

export function generationOf<
  TInput,
  TAnswer extends string,
  TPassages extends string,
  TReference extends string,
  TAnswerability extends string,
  TRelevant extends string = never,
>(
  sides: GenerationSides<TAnswer, TPassages, TReference, TAnswerability, TRelevant>,
  {
    example,
    output,
  }: Pick<
    MetricArguments<
      TInput,
      GenerationOutput<TAnswer, TPassages>,
      GenerationLabels<TReference, TAnswerability, TRelevant>
    >,
    "example" | "output"
  >,
): Generation {
  const labels = example.labels;
  const shown: readonly Passage[] = output[sides.passages];
  const { relevant } = sides;
  const evidence = relevant && evidenceAmong(shown, labels[relevant]);
  const named: unknown = labels[sides.answerability];
  return {
    response: output[sides.answer],
    passages: shown,
    reference: referenceIn(labels, sides.reference),
    answerability: answerabilityOf(
      named === undefined ? labels : { ...labels, answerability: named },
    ),
    ...(evidence && { evidence }),
  };
}

/** One relevant passage is evidence. `undefined` if no passage is known to be relevant. */
function evidenceAmong(
  shown: readonly { readonly id: string }[],
  relevant: RelevantGrades | undefined,
): Evidence | undefined {
  const wanted = Object.entries(relevant ?? {}).flatMap(([id, grade]) => (grade > 0 ? [id] : []));
  if (wanted.length === 0) return undefined;
  return shown.some(({ id }) => wanted.includes(id)) ? "there" : "missed";
}

/** The reference of an example; `undefined` if it is absent or blank. */
function referenceIn<TReference extends string>(
  labels: { readonly [K in TReference]?: string },
  reference: TReference,
): string | undefined {
  const held: string | undefined = labels[reference];
  return held === undefined || held.trim() === "" ? undefined : held;
}
