import { randomSource } from "espalier";
import { extractivenessOf, pythonSplit } from "espalier/metric";
import { latestTurns } from "../latest-turns.ts";
import { cutText } from "../../support/cut-text.ts";
import { unlessUnreadable } from "../../support/unless-unreadable.ts";
import type { Evidence } from "./evidence.ts";
import { isUserAsked } from "./is-user-asked.ts";
import type { GenerationCall } from "./modules.ts";
import { hasForbiddenPhrase } from "./phrases.ts";
import type { CandidateName, PerCandidate, UserPreference } from "./selection.ts";
import { selectCandidate } from "./selection.ts";
import type { Pipeline } from "./stages.ts";
import { includes } from "./stages.ts";

/**
 * Stages 3 and 4: runs both judges and picks the candidate with the better composite score; without
 * judges, one of the two by lot.
 */
export async function chooseCandidate(
  candidates: PerCandidate<string>,
  evidence: Evidence,
  call: GenerationCall,
  pipeline: Pipeline,
): Promise<CandidateName> {
  const { seed } = pipeline;
  if (!includes(pipeline, "technical-judge")) return drawnFor(evidence, seed);
  const shares = {
    A: extractivenessOf({ answer: candidates.A, spans: evidence.spans }),
    B: extractivenessOf({ answer: candidates.B, spans: evidence.spans }),
  };
  const isAsked =
    includes(pipeline, "user-judge") &&
    isUserAsked(evidence, { rate: call.parameters.userJudgeRate, seed });
  const [technical, user] = await Promise.all([
    judgeTechnically(candidates, shares, evidence, call),
    isAsked ? askUser(candidates, evidence, call) : null,
  ]);
  const selection = selectCandidate(
    {
      technical,
      user,
      extractiveness: shares,
      hasForbiddenPhrase: {
        A: hasForbiddenPhrase(candidates.A),
        B: hasForbiddenPhrase(candidates.B),
      },
    },
    numbersOf(call),
  );
  call.note("selection", {
    ...selection,
    technical,
    user: user === null ? "not asked" : { ...user },
    extractiveness: shares,
  });
  return selection.choice;
}

/** One of the two by lot, for the pipeline without judges. */
function drawnFor({ question, history }: Evidence, seed: number): CandidateName {
  const turn = JSON.stringify([question, history.map(({ text }) => text)]);
  return randomSource(seed, `candidate/${turn}`).random() < 0.5 ? "A" : "B";
}

async function judgeTechnically(
  candidates: PerCandidate<string>,
  shares: PerCandidate<number>,
  { question, spans }: Evidence,
  call: GenerationCall,
): Promise<PerCandidate<number>> {
  const { judgedSpans, judgedCharacters } = call.parameters;
  const percentage = (name: CandidateName) => Number((100 * shares[name]).toFixed(0));
  const reply = call.predictors.judgeGrounding({
    question,
    spans: spans.slice(0, judgedSpans).map((span) => cutText(span, judgedCharacters)),
    answerA: candidates.A,
    wordsA: pythonSplit(candidates.A).length,
    overlapA: percentage("A"),
    answerB: candidates.B,
    wordsB: pythonSplit(candidates.B).length,
    overlapB: percentage("B"),
  });
  const { scoreA, scoreB } = await unlessUnreadable(reply, () => {
    call.note("technicalJudge", "unusable, so B at 5 to 6");
    return { winner: "B", scoreA: 5, scoreB: 6 };
  });
  return { A: scoreA, B: scoreB };
}

async function askUser(
  candidates: PerCandidate<string>,
  { question, history }: Evidence,
  call: GenerationCall,
): Promise<UserPreference> {
  const reply = call.predictors.judgePreference({
    question,
    history: latestTurns(history, call.parameters.preferenceTurns),
    answerA: candidates.A,
    answerB: candidates.B,
  });
  return unlessUnreadable(reply, () => {
    call.note("userJudge", "unusable, so A at LOW");
    return { preferred: "A", confidence: "LOW" } as const;
  });
}

function numbersOf({ parameters }: GenerationCall) {
  return {
    band: {
      low: parameters.lowExtractiveness,
      ideal: parameters.idealExtractiveness,
      high: parameters.highExtractiveness,
      belowBonus: parameters.belowBonus,
      idealBonus: parameters.idealBonus,
      acceptableBonus: parameters.acceptableBonus,
      aboveBonus: parameters.aboveBonus,
    },
    weights: {
      technical: parameters.technicalWeight,
      preference: parameters.preferenceWeight,
      prior: parameters.priorOfA,
      forbidden: parameters.forbiddenPenalty,
      confidence: {
        HIGH: parameters.highConfidence,
        MEDIUM: parameters.mediumConfidence,
        LOW: parameters.lowConfidence,
      },
    },
  };
}
