import type { Text } from "espalier";
import type { GenerationInput } from "../generation/evidence.ts";
import { decline, generate, generationRoutes, replyTo } from "../generation/generate.ts";
import { isConversational } from "../generation/is-conversational.ts";
import { generationModules } from "../generation/modules.ts";
import type { Pipeline } from "../generation/stages.ts";
import type { GenerationCall } from "../generation/modules.ts";
import type { GateDecision } from "./gate-decision.ts";
import type { GateCall } from "./modules.ts";
import { gateModules } from "./modules.ts";
import { singleJudge } from "./single-judge.ts";
import { threeJudges } from "./three-judges.ts";

/** The predictors and parameters of Task C after retrieval: the gate, and Task B. */
export const answerModules = {
  predictors: { ...gateModules.predictors, ...generationModules.predictors },
  parameters: { ...gateModules.parameters, ...generationModules.parameters },
} as const;

export const answerRoutes = generationRoutes;

export interface GatedAnswer {
  readonly answer: Text<"answer">;
  readonly route: (typeof answerRoutes)[number];
  /** The gate's verdict; absent if the gate was not asked. */
  readonly verdict?: GateDecision["verdict"] | undefined;
  readonly confidence?: number | undefined;
}

/** The computed mean of three values of .7 is below .7 by less than this, and must count as .7. */
const rounding = 1e-9;

/**
 * Task C after retrieval: a reply to a remark; otherwise a refusal, if the gate is confident enough
 * that the first passages do not answer; otherwise all of Task B on the original question. Without
 * passages, Task B always refuses, so the gate is not asked.
 *
 * Appendix D.1 uses three labels and hints to the generator that a PARTIAL question is less
 * certain; the three judges of section 3, and the code, know two. PARTIAL, which only the single
 * judge returns, is therefore answered like ANSWERABLE, without a hint.
 */
export async function answerWithGate(
  { question, history, passages }: GenerationInput,
  call: GateCall & GenerationCall,
  pipeline: Pipeline,
): Promise<GatedAnswer> {
  const { gate, contextPassages, refusalConfidence } = call.parameters;
  const given = { question, history, passages: passages.slice(0, contextPassages) };
  if (isConversational(question)) {
    call.note("route", "conversational");
    return replyTo(given, call);
  }
  if (gate === "none" || given.passages.length === 0) return generate(given, call, pipeline);
  call.step("Judging whether the passages answer the question");
  const { verdict, confidence, rule } = await (gate === "single-judge"
    ? singleJudge(given, call)
    : threeJudges(given, call));
  call.note("gate", { verdict, confidence, rule });
  const isRefused = verdict === "UNANSWERABLE" && confidence >= refusalConfidence - rounding;
  if (!isRefused) {
    return { ...(await generate(given, call, pipeline)), verdict, confidence };
  }
  call.note("route", "refusal");
  return { ...(await decline(question, call)), verdict, confidence };
}
