import { createHash } from "node:crypto";
import { EspalierError } from "espalier";
import { jsonRows, readLines, readJsonl } from "espalier/trainset";
import { z } from "zod";
import { wordingOf } from "./wording-of.ts";

/** A question, and whether it needs more than one search. */
export interface ComplexityQuestion {
  readonly id: string;
  readonly question: string;
  readonly isComplex: boolean;
  /** The file that it is from. */
  readonly source: string;
}

export interface ComplexityQuestions {
  readonly train: readonly ComplexityQuestion[];
  readonly heldOut: readonly ComplexityQuestion[];
  /** Left out, because another row asks the same. */
  readonly repeated: number;
  /** Left out, because one file calls them simple and another complex. */
  readonly contradicted: number;
}

/**
 * Questions for R2RAG's trained classifier (section 3.1), from files that each hold questions of
 * one kind, in their publishers' formats, gzipped or not:
 *
 * - TREC Deep Learning (`msmarco-test2019-queries.tsv`) and TREC RAG 2024
 *   (`topics.rag24.test.txt`): lines of id, tab, question;
 * - Researchy Questions (`researchy_questions.train.jsonl`), TREC RAG 2025
 *   (`trec_rag_2025_queries.jsonl`), Natural Questions (`NQ-open.train.jsonl`,
 *   `simplified-nq-train.jsonl.gz`) and multi-hop sets: JSON rows with `question`,
 *   `question_text`, `query` or `title`.
 *
 * A fifth is held out, by a hash. Questions of one wording count once, and steps of one question
 * (`ID#1`, `ID#2`) stay together with it.
 *
 * @throws EspalierError `file-missing`; `file-malformed` with the line; `dataset-invalid` if a kind
 * of question is missing in a split
 */
export async function complexityQuestions(files: {
  readonly simple: readonly string[];
  readonly complex: readonly string[];
}): Promise<ComplexityQuestions> {
  const kept = new Map<string, ComplexityQuestion & { readonly group: string }>();
  const contradicted = new Set<string>();
  let repeated = 0;
  for (const [isComplex, paths] of [[false, files.simple] as const, [true, files.complex] as const])
    for (const source of paths)
      for await (const { id, question } of questionsIn(source)) {
        const wording = wordingOf(question);
        const earlier = kept.get(wording);
        if (earlier === undefined) {
          const group = id === undefined ? wording : id.replace(/#\d+$/, "");
          kept.set(wording, { id: hash(wording), question, isComplex, source, group });
        } else if (earlier.isComplex === isComplex) repeated++;
        else contradicted.add(wording);
      }
  for (const wording of contradicted) kept.delete(wording);
  const splits = Map.groupBy(kept.values(), ({ group }) => parseInt(hash(group), 16) % 5 === 0);
  const inSplit = (isHeldOut: boolean) =>
    (splits.get(isHeldOut) ?? []).map(({ group: _group, ...question }) => question);
  const made = { train: inSplit(false), heldOut: inSplit(true) };
  for (const [split, rows] of Object.entries(made)) checkBothKinds(split, rows);
  return { ...made, repeated, contradicted: contradicted.size };
}

/** What `npm run train:complexity` writes of the questions that it held out. */
export async function readHeldOut(path: string): Promise<readonly ComplexityQuestion[]> {
  return readJsonl(
    path,
    z.object({
      id: z.string(),
      question: z.string(),
      isComplex: z.boolean(),
      source: z.string(),
    }),
  );
}

const named = ["question", "question_text", "query", "title"] as const;
const row = z.looseObject({ id: z.unknown().optional() }).transform((given, context) => {
  const texts = named.map((name): unknown => given[name]);
  const question = texts.find((text) => typeof text === "string" && text.trim() !== "");
  if (typeof question !== "string") {
    const message = `a text in one of the fields ${named.join(", ")}`;
    context.addIssue({ code: "custom", message, input: given });
    return z.NEVER;
  }
  return { id: typeof given.id === "string" ? given.id : undefined, question: question.trim() };
});

async function* questionsIn(
  path: string,
): AsyncGenerator<{ readonly id: string | undefined; readonly question: string }> {
  if (/\.jsonl?(?:\.gz)?$/i.test(path)) {
    for await (const { row: read } of jsonRows(path, row)) yield read;
    return;
  }
  for (const { number, text } of await readLines(path)) {
    const [id = "", question = "", ...others] = text.split("\t").map((cell) => cell.trim());
    if (id === "" || question === "" || others.length > 0) {
      throw new EspalierError({
        code: "file-malformed",
        problem: "The line is not an id and a question",
        where: `${path}:${number}`,
        expected: "id, tab, question; JSON rows need a name that ends in .json or .jsonl",
        got: text.slice(0, 80),
      });
    }
    yield { id: undefined, question };
  }
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}

function checkBothKinds(split: string, rows: readonly ComplexityQuestion[]): void {
  const complex = rows.filter(({ isComplex }) => isComplex).length;
  if (complex > 0 && complex < rows.length) return;
  throw new EspalierError({
    code: "dataset-invalid",
    problem: `The questions of ${split === "train" ? "the training split" : "the held-out fifth"} are all of one kind`,
    expected: "simple and complex questions",
    got: `${rows.length - complex} simple, ${complex} complex`,
    fix: "Name files with more questions.",
  });
}
