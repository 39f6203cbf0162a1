/**
 * Rewrites of MTRAG's questions that models were recorded to write (pashaAbri/mt-rag-benchmark @
 * 8bb7127, Apache-2.0), by short names. None of the models saw a passage or the answer; `expanded`
 * starts from the person's wording.
 */
export const recordedWordings = {
  mixtral: { strategy: "mixtral-8x7b/full_history", model: "mixtral_8x7b_instruct" },
  mixtralTargeted: { strategy: "mixtral-8x7b/targeted", model: "mixtral_8x7b_instruct" },
  sonnet4: { strategy: "claude-sonnet-4/full_history", model: "claude-sonnet-4-20250514" },
  sonnet4Targeted: { strategy: "claude-sonnet-4/targeted", model: "claude-sonnet-4-20250514" },
  dhRag: { strategy: "dh_rag", model: "claude-sonnet-4-5-20250929" },
  aggressive: { strategy: "claude-sonnet-4.5/aggressive", model: "claude-sonnet-4-5" },
  informative: { strategy: "claude-sonnet-4.5/informative", model: "claude-sonnet-4-5" },
  expanded: { strategy: "claude-sonnet-4.5/rewrite_then_edit", model: "claude-sonnet-4-5" },
} as const;

type RecordedWording = keyof typeof recordedWordings;

/** The wordings of a turn: the user's, a person's for the benchmark, and those of models. */
export const wordings = [
  "lastturn",
  "human",
  ...(Object.keys(recordedWordings) as RecordedWording[]),
] as const;
export type Wording = (typeof wordings)[number];

/**
 * Recorded wordings in the roles of AILS-NTUA's five strategies; none of them saw the human
 * rewrite. The two with full history only resolve references, `informative` adds the domain's
 * words, `aggressive` is keywords, and `dhRag` expands with the dialogue.
 */
export const wordingsOfStrategies = {
  minimal: "sonnet4",
  corpusSpecific: "informative",
  chainOfThought: "mixtral",
  hypothetical: "dhRag",
  anchorKeyword: "aggressive",
} as const satisfies Readonly<Record<string, Wording>>;

/** The models that wrote some wordings, each once; none for the user and the person. */
export function modelsOf(written: readonly Wording[]): readonly string[] {
  const models = written.flatMap((name) =>
    name === "lastturn" || name === "human" ? [] : [recordedWordings[name].model],
  );
  return [...new Set(models)];
}
