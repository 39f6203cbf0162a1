import { createHash } from "node:crypto";
import type { LanguageModel, Passage } from "espalier";
import { FormatError, predict, randomSource } from "espalier";
import { normalizeAnswer } from "espalier/metric";
import { askAboutEntity, combineQuestions } from "../../signatures/index.ts";
import type { CompoundRow } from "./compound-row.ts";
import type { Entity } from "./entity-documents.ts";

/** One fact from one document. */
interface SimpleQuestion {
  readonly question: string;
  readonly answer: string;
  readonly document: Passage;
}

export interface ComposedQuestions {
  readonly rows: readonly CompoundRow[];
  /** Usable simple questions. */
  readonly simple: number;
  /**
   * Unusable ones: malformed, not about the entity, or with an answer that the document does not
   * contain.
   */
  readonly unusable: number;
  /** Combinations that the LM declined. */
  readonly refused: number;
}

/** Combinations to try for one compound question. */
const maxTries = 3;

/**
 * Composes HANRAG's compound questions about one entity (appendix B.1): one simple question for
 * each document, then two to four of them, drawn at random, joined into one.
 */
export async function composeQuestions(
  entity: Entity,
  documents: readonly Passage[],
  options: {
    readonly lm: LanguageModel;
    readonly seed: number;
    /** Number of compound questions to compose. */
    readonly most: number;
    readonly signal: AbortSignal;
  },
): Promise<ComposedQuestions> {
  const { lm, seed, signal } = options;
  const asked = await Promise.all(
    documents.map((document) => simpleQuestion(entity, document, options)),
  );
  const written = asked.filter((one) => one !== null);
  const simple = written.filter(isFirstOfItsKind);
  const rows: CompoundRow[] = [];
  const tried = new Set<string>();
  let refused = 0;
  const draws = randomSource(seed, `combinations of ${entity.title}`);
  for (let left = maxTries * options.most; left > 0 && rows.length < options.most; left--) {
    if (simple.length < 2) break;
    const size = 2 + draws.below(Math.min(4, simple.length) - 1);
    const parts = draws.sample(simple, size);
    const key = parts
      .map(({ document }) => document.id)
      .toSorted()
      .join("\n");
    if (tried.has(key)) continue;
    tried.add(key);
    const question = await combined(parts, {
      lm,
      seed,
      signal,
      exampleId: `${entity.title} ${tried.size}`,
    });
    if (question === null) refused++;
    else rows.push(rowOf(entity, { question, parts, documents }));
  }
  return { rows, simple: simple.length, unusable: documents.length - written.length, refused };
}

async function simpleQuestion(
  { name }: Entity,
  document: Passage,
  {
    lm,
    seed,
    signal,
  }: { readonly lm: LanguageModel; readonly seed: number; readonly signal: AbortSignal },
): Promise<SimpleQuestion | null> {
  const { title = "", text } = document;
  const made = await unlessUnreadable(
    predict(askAboutEntity).run(
      { entity: name, document: `${title}\n${text}`.trim() },
      { lm, seed, signal, exampleId: document.id },
    ),
  );
  if (made === null) return null;
  const { question, answer } = made;
  const isNamed = question.toLowerCase().includes(name.toLowerCase());
  const short = normalizeAnswer(answer);
  const isThere = short !== "" && ` ${normalizeAnswer(text)} `.includes(` ${short} `);
  return isNamed && isThere ? { question, answer, document } : null;
}

/** Two simple questions that are identical, or share an answer, would repeat themselves. */
function isFirstOfItsKind(
  one: SimpleQuestion,
  index: number,
  all: readonly SimpleQuestion[],
): boolean {
  return !all
    .slice(0, index)
    .some(
      (earlier) =>
        normalizeAnswer(earlier.question) === normalizeAnswer(one.question) ||
        normalizeAnswer(earlier.answer) === normalizeAnswer(one.answer),
    );
}

async function combined(
  parts: readonly SimpleQuestion[],
  options: {
    readonly lm: LanguageModel;
    readonly seed: number;
    readonly signal: AbortSignal;
    readonly exampleId: string;
  },
): Promise<string | null> {
  const made = await unlessUnreadable(
    predict(combineQuestions).run({ questions: parts.map(({ question }) => question) }, options),
  );
  const question = made?.compoundQuestion.trim() ?? "";
  return question === "" || /^\W*no\W*$/i.test(question) ? null : question;
}

function rowOf(
  { title }: Entity,
  {
    question,
    parts,
    documents,
  }: {
    readonly question: string;
    readonly parts: readonly SimpleQuestion[];
    readonly documents: readonly Passage[];
  },
): CompoundRow {
  const needed = new Set(parts.map(({ document }) => document.id));
  const key = [title, ...needed].join("\n");
  return {
    id: `compound-${createHash("sha256").update(key).digest("hex").slice(0, 16)}`,
    dataset: "compound",
    type: `${parts.length}hop`,
    entity: title,
    question,
    answers: [parts.map(({ answer }) => answer).join(" && ")],
    paragraphs: documents.map((document) => ({
      title: document.title ?? "",
      text: document.text,
      is_supporting: needed.has(document.id),
    })),
    decomposition: parts.map((part) => ({
      question: part.question,
      resolved: part.question,
      answer: part.answer,
      support_title: part.document.title ?? "",
    })),
  };
}

async function unlessUnreadable<TValue>(saying: Promise<TValue>): Promise<TValue | null> {
  try {
    return await saying;
  } catch (error) {
    if (FormatError.isInstance(error)) return null;
    throw error;
  }
}
