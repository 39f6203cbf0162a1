import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { JsonObject, LanguageModel, LmMessage } from "espalier";
import { EspalierError, FormatError } from "espalier";
import { hanragModules } from "../../programs/hanrag/modules.ts";
import { wordingOf } from "../../trainsets/wording-of.ts";
import type { Decision, LabelledDecision } from "./labelled-decisions.ts";

/** A row in the chat format of fine-tuning tools. */
export interface RevelatorRow {
  readonly id: string;
  readonly messages: readonly Pick<LmMessage, "role" | "content">[];
}

/** Where each question of val and test is from, by its wording. */
export type HeldOut = ReadonlyMap<string, string>;

/**
 * @throws EspalierError `dataset-invalid` with the first row that asks a held-out question, in its
 * inputs or outputs
 */
export function checkDisjoint(rows: readonly LabelledDecision[], heldOut: HeldOut): void {
  for (const { id, decision, inputs, outputs } of rows) {
    const asked = [inputs.question, outputs["seedQuestion"], outputs["subQuestions"]].flat();
    const clash = asked
      .filter((text) => typeof text === "string")
      .find((text) => heldOut.has(wordingOf(text)));
    if (clash === undefined) continue;
    throw new EspalierError({
      code: "dataset-invalid",
      problem: "A question to train with is also one to evaluate with",
      where: `${decision} row \`${id}\``,
      expected: "no question of val or test",
      got: `"${clash}", which is ${heldOut.get(wordingOf(clash)) ?? ""}`,
      fix: "Leave the question out.",
    });
  }
}

/**
 * Keeps at most `most` decisions for each label, drawn by the hash of their ids; of texts, such as
 * seed questions, for each decision. Memory holds twice as many.
 */
export function decisionSample(most: number) {
  const kept = new Map<string, { readonly hash: string; readonly row: LabelledDecision }[]>();
  const drawn = (rows: { readonly hash: string; readonly row: LabelledDecision }[]) =>
    rows.toSorted((left, right) => (left.hash < right.hash ? -1 : 1)).slice(0, most);
  return {
    add: (row: LabelledDecision): void => {
      const label = row.outputs["route"] ?? row.outputs["isRelevant"] ?? row.outputs["isSolved"];
      const key = `${row.decision} ${JSON.stringify(label)}`;
      const rows = kept.get(key) ?? [];
      const hash = createHash("sha256").update(row.id).digest("hex");
      rows.push({ hash, row });
      kept.set(key, rows.length > 2 * most ? drawn(rows) : rows);
    },
    rows: (): readonly LabelledDecision[] =>
      [...kept.values()].flatMap((rows) => drawn(rows).map(({ row }) => row)),
  };
}

/**
 * The row that teaches a decision: the messages that HANRAG sends, and the reply that its predictor
 * reads as the label. `undefined` if it would not read that reply, such as a text above its limit.
 */
export async function revelatorRow({
  id,
  decision,
  inputs,
  outputs,
}: LabelledDecision): Promise<RevelatorRow | undefined> {
  const predictor = predictors[decision];
  const content = JSON.stringify(outputs);
  let read: JsonObject;
  try {
    read = (await predictor.run(inputs as never, { lm: replying(content) })) as JsonObject;
  } catch (error) {
    if (FormatError.isInstance(error)) return undefined;
    throw error;
  }
  if (!isDeepStrictEqual({ ...read }, { ...outputs })) return undefined;
  const shown = predictor
    .render(inputs as never)
    .map(({ role, content: text }) => ({ role, content: text }));
  return { id, messages: [...shown, { role: "assistant", content }] };
}

const modules = hanragModules({}).predictors;
const predictors: Readonly<Record<Decision, (typeof modules)[Decision]>> = modules;

function replying(content: string): LanguageModel {
  return {
    identity: { provider: "label", model: "label" },
    doGenerate: async () => ({
      content,
      reasoning: null,
      finishReason: "stop",
      usage: {
        promptTokens: null,
        completionTokens: null,
        cachedPromptTokens: null,
        reasoningTokens: null,
      },
      model: "label",
      latencyMs: 0,
      source: "recording",
    }),
  };
}
