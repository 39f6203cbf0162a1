import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Example, SplitName } from "../contract/index.ts";
import { splitNames } from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";
import { excerpt, isObject, joinNames } from "../internal/index.ts";
import { writeFileAtomic } from "../storage/index.ts";
import type { JsonRow, Row } from "../trainset/index.ts";
import { readRows, splitByCluster } from "../trainset/index.ts";
import type { AnyCommand } from "./arguments/arguments.ts";
import { jsonArgument, wholeNumber } from "./arguments/arguments.ts";
import { command } from "./arguments/command.ts";
import { print } from "./terminal/terminal.ts";

/** `espalier split`: one file of rows as the three files of a trainset. */
export const splitSubcommand: AnyCommand = command({
  args: {
    rows: {
      type: "positional",
      description: "JSONL, CSV or TSV file of rows that `readExamples` can read",
      valueHint: "ROWS",
      required: true,
    },
    to: {
      type: "string",
      description: "Folder for train.jsonl, val.jsonl and test.jsonl, none of which may exist yet",
      valueHint: "FOLDER",
      default: ".",
    },
    shares: {
      type: "string",
      description: "Relative sizes of train, val and test; 0 writes no file",
      valueHint: "N,N,N",
      default: "60,20,20",
    },
    labels: {
      type: "string",
      description: "Label columns of flat rows; all other columns are inputs",
      valueHint: "FIELD,FIELD",
    },
    cluster: {
      type: "string",
      description: "Field, such as a customer; rows with the same value stay together",
      valueHint: "FIELD",
    },
    seed: { type: "string", description: "Seed of the split", valueHint: "N", default: "0" },
    ...jsonArgument,
  },
  run: async ({ rows: path, to, ...given }) => {
    const seed = wholeNumber("seed", given.seed, 0);
    const shares = sharesOf(given.shares);
    const files = splitNames.map((split) => [split, join(to, `${split}.jsonl`)] as const);
    const standing = files.map(([, file]) => file).filter((file) => existsSync(file));
    if (standing.length > 0) {
      throw new EspalierError({
        code: "usage-invalid",
        problem: "The --to folder already has files with these names",
        got: standing.join(", "),
        fix: "Name another folder, or remove the files: a new split may move previously seen rows into test.",
      });
    }
    const labels = given.labels?.split(",").map((name) => name.trim());
    const inputOf = (row: Row) => inputIn(row, [...(labels ?? []), given.cluster]);
    const rows = await readRows(path, inputOf);
    checkLabels(rows, labels);
    refuseRepeatedIds(rows);
    const examples = rows.map((row) => exampleOf(row, inputOf(row.row), given.cluster));
    const splits = splitByCluster(examples, { seed, shares });
    const written = files.filter(([split]) => splits[split].length > 0);
    for (const [split, file] of written) {
      await writeFileAtomic(
        file,
        splits[split].map(({ row }) => `${JSON.stringify(row)}\n`).join(""),
      );
    }
    const counts = Object.fromEntries(splitNames.map((split) => [split, splits[split].length]));
    if (given.json) print(JSON.stringify(counts));
    else print(written.map(([split, file]) => `${file}: ${counts[split]} rows`).join("\n"));
  },
});

function sharesOf(given: string): Readonly<Record<SplitName, number>> {
  const parts = /^(\d+),(\d+),(\d+)$/.exec(given) ?? [];
  const [train = 0, val = 0, test = 0] = parts.slice(1).map(Number);
  if (train + val + test > 0) return { train, val, test };
  throw new EspalierError({
    code: "usage-invalid",
    problem: "Invalid value for --shares",
    expected: "whole numbers for train, val and test that are not all 0, such as 60,20,20",
    got: `"${given}"`,
  });
}

function refuseRepeatedIds(rows: readonly JsonRow<Row>[]): void {
  const seen = new Map(rows.map(({ row, where }) => [row["id"], where]));
  const repeated = rows.find(({ row, where }) => seen.get(row["id"]) !== where);
  if (repeated === undefined) return;
  const { row, where } = repeated;
  throw new EspalierError({
    code: "dataset-invalid",
    problem: "Two rows have the same id",
    got: `${excerpt(JSON.stringify(row["id"]), 80)}, also at ${seen.get(row["id"])}`,
    where,
    fix: "Give each row a unique id, or remove the ids: rows then get new ones.",
  });
}

function isNested(row: Row): boolean {
  return isObject(row["input"]);
}

/** @param others names in a flat row that are no input */
function inputIn(row: Row, others: readonly (string | undefined)[]): unknown {
  if (isNested(row)) return row["input"];
  const { id: _id, cluster: _cluster, ...rest } = row;
  return Object.fromEntries(Object.entries(rest).filter(([name]) => !others.includes(name)));
}

/** Without the names of its labels, equal inputs of flat rows would differ by them. */
function checkLabels(rows: readonly JsonRow<Row>[], labels: readonly string[] | undefined): void {
  const flat = rows.filter(({ row }) => !isNested(row));
  const names = new Set(flat.flatMap(({ row }) => Object.keys(row)));
  const columns = [...names].filter((name) => name !== "id" && name !== "cluster");
  const listed = columns.map((name) => `\`${name}\``).join(", ");
  const [first] = flat;
  if (labels === undefined) {
    if (first === undefined) return;
    throw new EspalierError({
      code: "usage-invalid",
      problem: "Flat rows need --labels, which lists the label columns",
      got: `the columns ${listed}`,
      where: first.where,
      fix: "All other columns are inputs, and rows with equal inputs stay together.",
    });
  }
  const nested = rows.find(({ row }) => isNested(row));
  if (nested !== undefined) {
    throw new EspalierError({
      code: "usage-invalid",
      problem: "--labels is for flat rows, but this row has an `input` field",
      where: nested.where,
      fix: "Omit --labels.",
    });
  }
  const unknown = labels.filter((name) => !columns.includes(name));
  if (unknown.length === 0) return;
  throw new EspalierError({
    code: "usage-invalid",
    problem: "--labels lists columns that no row has",
    expected: `some of ${listed}`,
    got: joinNames(unknown.map((name) => `\`${name}\``)),
  });
}

function exampleOf(
  { row, where }: JsonRow<Row>,
  input: unknown,
  field: string | undefined,
): Example & { readonly row: Row } {
  const { id, cluster: own, labels } = row;
  const held = { ...(isObject(labels) && labels), ...(isObject(input) && input), ...row };
  const value = (field === undefined ? own : held[field]) ?? "";
  const cluster = typeof value === "string" || typeof value === "number" ? `${value}` : "";
  const example = { id: String(id), input, labels, row };
  if (cluster !== "") return { ...example, cluster, row: { ...row, cluster } };
  if (field === undefined) return example;
  throw new EspalierError({
    code: "file-malformed",
    problem: `The row has no \`${field}\`, the --cluster field`,
    expected: "text or a number",
    got: joinNames(Object.keys(held).map((name) => `\`${name}\``)),
    where,
    fix: "Give the row a value, or name another field with --cluster.",
  });
}
