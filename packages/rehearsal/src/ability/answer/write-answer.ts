import type { Behaviour, Steering } from "../../steering/index.ts";
import type { TextReader } from "../../text/index.ts";
import { sentences } from "../../text/index.ts";
import { wordLimits } from "../../steering/index.ts";
import { conclude } from "./conclude.ts";
import { answerSpan } from "./answer-span.ts";
import type { EvidenceSentence } from "../material/evidence.ts";
import {
  evidenceSentences,
  supportOf,
  informativeSentences,
  wantedStems,
} from "../material/evidence.ts";
import type { Material } from "../material/material.ts";
import { mendAnswer, reviseAnswer } from "./revise-answer.ts";

/** Looks for the best sentence in all passages instead of only the first one. */
export const groundAnswer: Behaviour = {
  name: "ground-answer",
  cues: [
    { all: ["support", "passages"], weight: 0.6 },
    { all: ["use", "passages"], weight: 0.5 },
    { all: ["passages"], weight: 0.3 },
  ],
};

/** Admits it when the evidence does not answer. */
export const admitMissing: Behaviour = {
  name: "admit-missing",
  cues: [
    { all: ["refuse", "forbidden"], weight: -0.95, negated: -0.95 },
    { all: ["refuse", "insufficient"], weight: 0.7, negated: 0.7 },
    { all: ["refuse"], weight: 0.5 },
  ],
};

export const citePassages: Behaviour = {
  name: "cite-passages",
  cues: [{ all: ["cite"], weight: 0.7 }],
};

/** Returns only the name, number or date. */
export const bareAnswer: Behaviour = {
  name: "bare-answer",
  cues: [
    { all: ["oneword"], weight: 0.8, negated: 0 },
    { all: ["span"], weight: 0.8, negated: 0 },
  ],
};

export const briefAnswer: Behaviour = {
  name: "brief-answer",
  cues: [{ all: ["brief"], weight: 0.6, negated: 0 }],
};

export const thoroughAnswer: Behaviour = {
  name: "thorough-answer",
  cues: [
    { all: ["thorough"], weight: 0.5, negated: 0 },
    { all: ["long"], weight: 0.6, negated: 0 },
  ],
};

/**
 * An extractive answer: sentences of the passages, or of the other texts, that bear on the
 * question.
 */
export function writeAnswer(given: {
  readonly material: Material;
  readonly steering: Steering;
  readonly reader: TextReader;
}): string {
  const { steering, reader } = given;
  const material = withReplies(given.material);
  const solved = conclude(given);
  if (solved !== undefined) return solved;
  if (material.responses.length > 0 && steering.level(mendAnswer) > 0.3) return reviseAnswer(given);
  const wanted = wantedStems(material, reader);
  const all = evidenceSentences(material, wanted, reader);
  const isPoor = supportOf(material, wanted, reader) < 0.4;
  if (isPoor && steering.level(admitMissing) > 0.3) {
    return refusalWording(material.question, steering);
  }
  const grounded = steering.level(groundAnswer);
  const first = all[0]?.passage;
  const pool = grounded > 0.25 ? all : all.filter(({ passage }) => passage === first);
  if (pool.length === 0) return isAsked(material) ? "I do not know." : material.question;
  if (steering.level(bareAnswer) > 0.4) {
    const informative = best(
      grounded > 0.25 ? informativeSentences(material, wanted, reader) : pool,
      3,
    );
    const text = answerSpan(material.question, informative, reader);
    const source = informative.find((sentence) => sentence.text.includes(text)) ?? informative[0];
    return source === undefined ? text : cited({ ...source, text }, steering.level(citePassages));
  }
  const brief = steering.level(briefAnswer);
  const count = brief > 0.3 ? 1 : 2 + Math.round(3 * steering.level(thoroughAnswer));
  const chosen = withinLimit(best(pool, count), steering, reader);
  return inOrder(chosen, all)
    .map((sentence) => cited(sentence, steering.level(citePassages)))
    .join(" ");
}

/** Without passages and other texts, only the assistant's replies can supply an answer. */
function withReplies(material: Material): Material {
  const { passages, texts, turns } = material;
  if (passages.length > 0 || texts.length > 0) return material;
  const replies = turns.filter(({ speaker }) => speaker === "assistant");
  return { ...material, texts: replies.map(({ text }) => text) };
}

function isAsked({ question, responses }: Material): boolean {
  return question.trim().endsWith("?") || (question !== "" && responses.length > 0);
}

/** The best sentences that fit into the instruction's word limit; at least one. */
function withinLimit(
  chosen: readonly EvidenceSentence[],
  { clauses }: Steering,
  reader: TextReader,
): readonly EvidenceSentence[] {
  const { most } = wordLimits(clauses);
  if (most === undefined) return chosen;
  let count = 0;
  return chosen.filter(({ text }, index) => {
    count += reader.words(text).length;
    return index === 0 || count <= most;
  });
}

/** Sentences that summarise everything given, one per passage or text. */
export function writeDigest(material: Material): string {
  const sources = [...material.passages.map(({ text }) => text), ...material.texts];
  const leads = sources.map((text) => sentences(text)[0] ?? "").filter((lead) => lead !== "");
  return leads.length === 0 ? material.question : leads.slice(0, 4).join(" ");
}

function best(pool: readonly EvidenceSentence[], count: number): readonly EvidenceSentence[] {
  const ranked = pool.toSorted((left, right) => right.score - left.score);
  const least = (ranked[0]?.score ?? 0) * 0.5;
  return ranked.slice(0, count).filter(({ score }) => score >= least);
}

function inOrder(
  chosen: readonly EvidenceSentence[],
  all: readonly EvidenceSentence[],
): readonly EvidenceSentence[] {
  return all.filter((sentence) => chosen.includes(sentence));
}

function cited({ text, passage }: EvidenceSentence, level: number): string {
  return level > 0.3 && passage > 0 ? `${text} [${passage}]` : text;
}

/** A refusal in the instruction's wording, if it gives one, otherwise in the default wording. */
function refusalWording(question: string, { clauses }: Steering): string {
  for (const { text, hits } of clauses) {
    if (!hits.has("refuse")) continue;
    const quoted =
      /(?:say|reply|answer|write|state|respond)[^"“`]{0,40}["“`]([^"”`]{8,160})["”`]/i.exec(text);
    if (quoted !== null) return quoted[1] ?? "";
    const paraphrased =
      /\b(?:say|reply|answer|write|state|admit) that (?:you |there |the )([^,;.]{4,100})/i.exec(
        text,
      );
    if (paraphrased !== null) return spoken(paraphrased[0].replace(/^\w+ that /i, ""));
  }
  return `The texts given do not answer this: ${question}`;
}

/** "you do not have enough" becomes "I do not have enough". */
function spoken(paraphrased: string): string {
  const own = paraphrased
    .trim()
    .replaceAll(/\byou are\b/gi, "I am")
    .replaceAll(/\byou\b/gi, "I")
    .replaceAll(/\byour\b/gi, "my");
  return `${own.charAt(0).toUpperCase()}${own.slice(1)}.`;
}
