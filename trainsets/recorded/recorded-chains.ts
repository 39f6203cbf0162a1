import { EspalierError } from "espalier";
import type { Line } from "espalier/trainset";
import { readLines } from "espalier/trainset";

export interface ChainStep {
  /** Titles of the paragraphs found so far, including those of earlier steps. */
  readonly titles: readonly string[];
  /** The chain of thought so far, one sentence longer than in the previous step. */
  readonly thought: string;
}

export interface RecordedChain {
  /** The question's id in its set. */
  readonly id: string;
  readonly question: string;
  /** One step per retrieval, at least one. */
  readonly steps: readonly ChainStep[];
  readonly prediction: string;
}

/**
 * The chains that led IRCoT to its answers, step by step, as
 * `hotpotqa500_llama31-8b_ircot_chains.txt.gz` (xindili-cmu/anlp-project-multihop @ df0d575,
 * Apache-2.0). A chain has its id, its question, then for each step the titles and the thought with
 * `Exit? No.` between steps, then the reader's part, which ends with the answer and the mark
 * `[EOQ]`.
 *
 * @throws EspalierError `file-missing`; `file-malformed` with the line that does not match the
 * layout
 */
export async function recordedChains(path: string): Promise<readonly RecordedChain[]> {
  const lines = await readLines(path);
  const chains: RecordedChain[] = [];
  for (let index = 0; index < lines.length;) {
    const { chain, end } = chainAt(lines, index, path);
    chains.push(chain);
    index = end;
  }
  return chains;
}

function chainAt(
  lines: readonly Line[],
  start: number,
  path: string,
): { readonly chain: RecordedChain; readonly end: number } {
  let index = start;
  const take = (expected: string, prefix = ""): string => {
    const line = lines[index];
    index += 1;
    if (line?.text.startsWith(prefix)) return line.text.slice(prefix.length);
    throw malformed(line, expected, path);
  };
  const id = take("the id of a question");
  const question = take("the question");
  const steps: ChainStep[] = [];
  do {
    const titles = titlesOf(take("the titles of a step", "A: ["), lines[index - 1], path);
    steps.push({ titles, thought: take("the thought of a step", "A: ") });
  } while (lines[index]?.text === "A: Exit? No." && take("another step"));
  take("the paragraphs of the reader", 'A: ["pid___');
  take("the question to the reader", "Q: ");
  take("the reader's reply", "A: ");
  const prediction = take("the answer", "A: ");
  take("the end of the question", "Q: [EOQ]");
  take("the score", "S: ");
  return { chain: { id, question, steps, prediction }, end: index };
}

function titlesOf(rest: string, line: Line | undefined, path: string): readonly string[] {
  try {
    const titles: unknown = JSON.parse(`[${rest}`);
    if (Array.isArray(titles) && titles.every((title) => typeof title === "string")) return titles;
  } catch {
    // Reported below.
  }
  throw malformed(line, "the titles of a step, as a JSON array", path);
}

function malformed(line: Line | undefined, expected: string, path: string): EspalierError {
  return new EspalierError({
    code: "file-malformed",
    problem: "The chain does not have IRCoT's layout",
    expected,
    got: line === undefined ? "the end of the file" : line.text.slice(0, 80),
    where: line === undefined ? path : `${path}:${line.number}`,
  });
}
