import type { Text } from "espalier";
import { latestTurns } from "../latest-turns.ts";
import { unlessUnreadable } from "../../support/unless-unreadable.ts";
import { adjust } from "./adjust.ts";
import { chooseCandidate } from "./choose-candidate.ts";
import { clean } from "./clean.ts";
import type { Evidence, GenerationInput } from "./evidence.ts";
import { findSpans } from "./find-spans.ts";
import { isConversational } from "./is-conversational.ts";
import type { GenerationCall } from "./modules.ts";
import { isPureRefusal, withoutForbiddenPhrases } from "./phrases.ts";
import type { PerCandidate } from "./selection.ts";
import type { Pipeline } from "./stages.ts";
import { includes } from "./stages.ts";
import { styleOf } from "./style-of.ts";

/** How an answer was produced. */
export const generationRoutes = ["conversational", "refusal", "forced", "generated"] as const;

export interface GeneratedAnswer {
  readonly answer: Text<"answer">;
  readonly route: (typeof generationRoutes)[number];
}

/**
 * All of Task B: spans, two candidates, judges, selection, adjustment, and the phrase filter; a
 * short reply or a refusal if there are no passages.
 */
export async function generate(
  given: GenerationInput,
  call: GenerationCall,
  pipeline: Pipeline,
): Promise<GeneratedAnswer> {
  const made = await routed(given, call, pipeline);
  call.note("route", made.route);
  return made;
}

/** Stage 0: the reply to a remark. */
export async function replyTo(
  { question, history }: Omit<GenerationInput, "passages">,
  { predictors, parameters }: GenerationCall,
): Promise<GeneratedAnswer> {
  const { answer } = await predictors.replyToRemark({
    question,
    history: latestTurns(history, parameters.answerTurns),
    maxWords: parameters.replyWords,
  });
  return { answer: clean(answer), route: "conversational" };
}

/** Stage 0: says that the information is not available. */
export async function decline(
  question: Text<"question">,
  { predictors, parameters }: GenerationCall,
): Promise<GeneratedAnswer> {
  const { answer } = await predictors.declineToAnswer({
    question,
    maxWords: parameters.refusalWords,
  });
  return { answer: clean(answer), route: "refusal" };
}

async function routed(
  { question, history, passages }: GenerationInput,
  call: GenerationCall,
  pipeline: Pipeline,
): Promise<GeneratedAnswer> {
  if (passages.length === 0) {
    return isConversational(question)
      ? replyTo({ question, history }, call)
      : decline(question, call);
  }
  const turn = { question, history: latestTurns(history, call.parameters.answerTurns) };
  const kept = passages.slice(0, call.parameters.answerPassages);
  const evidence = { ...turn, spans: await factsIn({ ...turn, passages: kept }, call, pipeline) };
  if (!includes(pipeline, "two-answers")) {
    call.step("Writing an answer from the facts");
    const { answer } = await call.predictors.writeAnswerA(writersInput(evidence, call));
    return { answer: withoutForbiddenPhrases(clean(answer)), route: "generated" };
  }
  call.step("Writing two answers from the facts");
  const candidates = await writeCandidates(evidence, call);

  const isRefusal = (answer: string) => isPureRefusal(answer, call.parameters.refusalLimit);
  if (isRefusal(candidates.A) && isRefusal(candidates.B)) {
    const forced = await insist(evidence, call);
    const isAnswer = forced !== "" && !isRefusal(forced);
    call.note("insisted", isAnswer ? "answered" : "refused again");
    if (isAnswer) return { answer: forced, route: "forced" };
  }
  call.step("Comparing the two answers");
  const choice = await chooseCandidate(candidates, evidence, call, pipeline);
  const chosen = candidates[choice];
  const adjusted = includes(pipeline, "adjustment")
    ? await adjust(chosen, evidence.spans, call)
    : chosen;
  return { answer: withoutForbiddenPhrases(adjusted), route: "generated" };
}

/** Spans of the passages; the passages themselves where the pipeline does not look for any. */
async function factsIn(
  given: GenerationInput,
  call: GenerationCall,
  pipeline: Pipeline,
): Promise<Evidence["spans"]> {
  if (!includes(pipeline, "spans")) return given.passages.map(({ text }) => text);
  call.step("Looking for sentences that answer the question");
  return findSpans(given, call);
}

async function writeCandidates(
  evidence: Evidence,
  call: GenerationCall,
): Promise<PerCandidate<string>> {
  const given = writersInput(evidence, call);
  const [first, second] = await Promise.all([
    call.predictors.writeAnswerA(given),
    call.predictors.writeAnswerB(given),
  ]);
  return { A: clean(first.answer), B: clean(second.answer) };
}

function writersInput({ question, history, spans }: Evidence, call: GenerationCall) {
  const { style, targetWords } = styleOf(question, call);
  return { question, history, spans, style, targetWords };
}

async function insist({ question, spans }: Evidence, call: GenerationCall): Promise<string> {
  const shown = spans.slice(0, call.parameters.judgedSpans);
  const reply = call.predictors.insistOnAnswer({ question, spans: shown });
  return clean((await unlessUnreadable(reply, () => ({ answer: "" }))).answer);
}
