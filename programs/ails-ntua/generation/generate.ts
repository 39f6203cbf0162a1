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
 *
 * @param seed of the draw that decides which turns the user judge sees
 */
export async function generate(
  given: GenerationInput,
  call: GenerationCall,
  seed: number,
): Promise<GeneratedAnswer> {
  const made = await routed(given, call, seed);
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
  seed: number,
): Promise<GeneratedAnswer> {
  if (passages.length === 0) {
    return isConversational(question)
      ? replyTo({ question, history }, call)
      : decline(question, call);
  }
  call.step("Looking for the sentences that answer");
  const turn = { question, history: latestTurns(history, call.parameters.answerTurns) };
  const kept = passages.slice(0, call.parameters.answerPassages);
  const evidence = { ...turn, spans: await findSpans({ ...turn, passages: kept }, call) };
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
  const choice = await chooseCandidate(candidates, evidence, call, seed);
  const adjusted = await adjust(candidates[choice], evidence.spans, call);
  return { answer: withoutForbiddenPhrases(adjusted), route: "generated" };
}

async function writeCandidates(
  { question, history, spans }: Evidence,
  call: GenerationCall,
): Promise<PerCandidate<string>> {
  const { style, targetWords } = styleOf(question, call);
  const given = { question, history, spans, style, targetWords };
  const [first, second] = await Promise.all([
    call.predictors.writeAnswerA(given),
    call.predictors.writeAnswerB(given),
  ]);
  return { A: clean(first.answer), B: clean(second.answer) };
}

async function insist({ question, spans }: Evidence, call: GenerationCall): Promise<string> {
  const shown = spans.slice(0, call.parameters.judgedSpans);
  const reply = call.predictors.insistOnAnswer({ question, spans: shown });
  return clean((await unlessUnreadable(reply, () => ({ answer: "" }))).answer);
}
