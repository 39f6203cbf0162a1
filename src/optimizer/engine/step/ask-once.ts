import type { LanguageModel } from "../../../contract/index.ts";
import { failureOf, isAbsence } from "../../../errors/index.ts";
import type { Predictor } from "../../../program/index.ts";
import type { FieldSchemas, InputOf, OutputOf } from "../../../signature/index.ts";
import type { CallGate, Usage } from "../../budget/index.ts";
import { usageOf } from "../../budget/index.ts";
import type { WorkLog } from "../../run-folder/index.ts";
import type { Asked } from "../../contract/optimizer.ts";

/**
 * One call of the reflection LM, retried after a fault. A call without a result is logged as such,
 * except for one that a server's absence left unanswered: a resumed run asks again.
 */
export async function askOnce<TInput extends FieldSchemas, TOutput extends FieldSchemas>(
  predictor: Predictor<TInput, TOutput>,
  {
    id,
    inputs,
    number,
    seed,
    lm,
    log,
    gate,
    faultRetries,
    signal,
  }: {
    readonly id: string;
    readonly inputs: InputOf<TInput>;
    /** The call's number within the step; the log identifies the call by it. */
    readonly number: number;
    readonly seed: number;
    readonly lm: LanguageModel;
    readonly log: WorkLog;
    readonly gate: CallGate;
    readonly faultRetries: number;
    readonly signal: AbortSignal;
  },
): Promise<{ readonly usage: Usage; readonly asked: Asked<OutputOf<TOutput>> }> {
  const known = log.fruitless(number);
  if (known !== undefined) {
    gate.addRecorded({ reflection: known.usage }, known.worst);
    return { usage: known.usage, asked: { ok: false, failure: known.failure } };
  }
  const call = { path: predictor.signature.name, predictor: predictor.signature.name };
  for (let attempt = 0; ; attempt++) {
    const options = { lm, seed, exampleId: id, role: "reflection" as const, signal };
    const result = await predictor.attemptCall(inputs as never, call, options);
    const usage = usageOf([result.trace]);
    if (result.ok) return { usage, asked: { ok: true, outputs: result.outputs } };
    const failure = failureOf(result.error, signal.aborted ? "aborted" : undefined);
    if (failure.kind === "infrastructure" && attempt < faultRetries) continue;
    if (failure.kind !== "infrastructure" && failure.kind !== "format") throw result.error;
    if (isAbsence(failure.code)) throw result.error;
    log.addFruitless(number, { failure, usage, worst: gate.worstOf("", id) });
    return { usage, asked: { ok: false, failure } };
  }
}
