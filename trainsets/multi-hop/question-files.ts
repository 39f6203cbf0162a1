import { existsSync, readdirSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import { EspalierError } from "espalier";
import type { QuestionSetName, SetDescription } from "./sets.ts";
import { questionSets } from "./sets.ts";
import { shardsOf } from "./shards.ts";

/** Where the questions of a set are; a split may lie in several shards, in order. */
export interface QuestionFiles {
  /** Empty if there is none. */
  readonly train: readonly string[];
  /** The file of dev, or of test, or the only one; of compound, test goes before dev. */
  readonly test: readonly string[];
  /** Files that were passed over, for a note. */
  readonly ignored: readonly string[];
}

/**
 * The files of a set below a folder, up to three folders down, by the names that its publisher gave
 * them: a set's own name in the path, and `train`, `dev`, `validation` or `test`. `SET_train.jsonl`
 * and `SET_dev.jsonl` come first. All shards of a file (`nq-dev-00` to `nq-dev-04`) belong to it.
 *
 * @throws EspalierError `file-missing` if there is none to test with
 */
export function questionFiles(folder: string, set: QuestionSetName): QuestionFiles {
  const paths = existsSync(folder) ? filesBelow(folder, 3) : [];
  const { mark }: SetDescription = questionSets[set];
  // The whole folder may be the set's: its files are then named by their split alone.
  const marked = [
    paths.filter((path) => mark.test(relative(folder, path))),
    mark.test(basename(folder)) ? paths : [],
  ].find((found) => found.length > 0);
  const own = orderOf(set, marked ?? []);
  // Below the folder only: its own name, such as `training-data`, says nothing about the files.
  const splitIn = (path: string) => splitOf(relative(folder, path));
  const first = own.find((path) => splitIn(path) === "train");
  // Publishers keep the answers of their test files; the one that we build of compound has them.
  const heldOut = set === "compound" ? (["test", "dev"] as const) : (["dev", "test"] as const);
  const [held] = [...heldOut, undefined].flatMap((split) =>
    own.filter((path) => splitIn(path) === split),
  );
  if (held === undefined) throw missing(folder, set, own);
  const train = first === undefined ? [] : shardsOf(first, own);
  const test = shardsOf(held, own);
  const ignored = own.filter((path) => !train.includes(path) && !test.includes(path));
  return { train, test, ignored };
}

const rowFile = /\.jsonl?(?:\.gz)?$/i;
/** What lies beside the questions of several publishers, and rows without answers. */
const isOther = /corpus|alias|predict|without-answers|single-?hop|triples|ircot|evidence|verified/i;

function filesBelow(folder: string, levels: number): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (isOther.test(entry.name)) return [];
      if (rowFile.test(entry.name)) return [path];
      return levels > 0 && entry.isDirectory() ? filesBelow(path, levels - 1) : [];
    });
}

/** By the file's own name, else by the folder that it is in. */
function splitOf(path: string): "train" | "dev" | "test" | undefined {
  for (const name of path.split(sep).slice(-2).toReversed()) {
    if (/(?<![a-z])train/i.test(name)) return "train";
    if (/(?<![a-z])(?:dev|valid)/i.test(name)) return "dev";
    if (/(?<![a-z])test(?![a-z])/i.test(name)) return "test";
  }
  return undefined;
}

function orderOf(set: QuestionSetName, paths: readonly string[]): readonly string[] {
  const { preferred }: SetDescription = questionSets[set];
  const placeOf = (path: string): number => {
    const name = basename(path);
    if (name.startsWith(`${set}_`)) return -1;
    const index = preferred.findIndex((pattern) => pattern.test(name));
    return index < 0 ? preferred.length : index;
  };
  return paths.toSorted((left, right) => placeOf(left) - placeOf(right));
}

function missing(folder: string, set: QuestionSetName, found: readonly string[]): EspalierError {
  return new EspalierError({
    code: "file-missing",
    problem: `The folder has no test questions of ${set}`,
    where: folder,
    expected: `a file whose path says which set and split it is, such as ${examples[set].join(" or ")}, or ${set}_dev.jsonl; each may end in .gz`,
    got: found.length === 0 ? "no such file" : found.join(", "),
    fix: "Put the files there as their publisher names them.",
  });
}

const examples: Readonly<Record<QuestionSetName, readonly string[]>> = {
  hotpotqa: ["hotpot_dev_distractor_v1.json"],
  "2wikimultihopqa": ["2wikimultihopqa/dev.json"],
  musique: ["musique_ans_v1.0_dev.jsonl"],
  squad: ["dev-v1.1.json", "squad/dev-v2.0.json"],
  nq: ["NQ-open.dev.jsonl", "biencoder-nq-dev.json", "nq-dev-00.jsonl.gz"],
  triviaqa: ["triviaqa-rc/qa/wikipedia-dev.json", "biencoder-trivia-dev.json"],
  compound: ["compound_dev.jsonl"],
  questions: ["dev.json", "any other name in .json or .jsonl"],
};
