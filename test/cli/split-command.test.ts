import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "espalier";
import { readArtifact } from "espalier/artifact";
import { readExamples, splitByCluster, trainset } from "espalier/trainset";
import { expect, it } from "vitest";
import { z } from "zod";
import { runMain } from "../support/run-main.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const fields = {
  input: { question: text("question", "Asked.") },
  labels: { golds: z.array(z.string()) },
};

/** Three calls of each customer, with a line break in each question. */
function csvOf(customers: number): string {
  const calls = Array.from({ length: 3 * customers }, (_, place) => {
    const customer = `c${Math.floor(place / 3)}`;
    return `"Where is ""parcel"" ${place},\r\nand why?","[""in ${place}""]",${customer}`;
  });
  return ["question,golds,customer", ...calls, ""].join("\r\n");
}

async function examplesIn(folder: string) {
  const read = (split: string) => readExamples(join(folder, `${split}.jsonl`), fields);
  return { train: await read("train"), val: await read("val"), test: await read("test") };
}

it("writes three files that make a trainset, the same that code splits", async () => {
  await using folder = await temporaryFolder();
  const rows = join(folder.path, "rows.csv");
  const to = join(folder.path, "made", "here");
  await writeFile(rows, csvOf(20));
  const { code, stdout } = await runMain([
    "split",
    rows,
    "--to",
    to,
    "--seed",
    "4",
    "--labels",
    "golds,customer",
  ]);
  expect(code).toBe(0);
  expect(stdout.replaceAll(`${to}/`, "")).toBe(
    "train.jsonl: 36 rows\nval.jsonl: 12 rows\ntest.jsonl: 12 rows\n",
  );
  const splits = await examplesIn(to);
  expect(splits.train[0]?.input.question).toMatch(/^Where is "parcel" \d+,\nand why\?$/);
  const inCode = splitByCluster(await readExamples(rows, fields), { seed: 4 });
  expect(trainset({ name: "calls", splits }).checksum).toBe(
    trainset({ name: "calls", splits: inCode }).checksum,
  );
  expect((await stat(join(to, "test.jsonl"))).mode & 0o777).toBe(0o600);
});

it("keeps the rows of a customer together, and says so in the files", async () => {
  await using folder = await temporaryFolder();
  const rows = join(folder.path, "rows.csv");
  await writeFile(rows, csvOf(40));
  const words = ["split", rows, "--to", folder.path, "--cluster", "customer", "--labels", "golds"];
  const { stdout } = await runMain([...words, "--shares", "1,1,1", "--json"]);
  expect(JSON.parse(stdout)).toEqual({ train: 39, val: 42, test: 39 });
  const splits = await examplesIn(folder.path);
  const customers = Object.values(splits).map(
    (held) => new Set(held.map(({ cluster }) => cluster ?? "none")),
  );
  expect(customers.map(({ size }) => size)).toEqual([13, 14, 13]);
  expect(new Set(customers.flatMap((held) => [...held])).size).toBe(40);
});

it("keeps rows of JSONL as they are, finds the field within the input, and writes no empty file", async () => {
  await using folder = await temporaryFolder();
  const rows = join(folder.path, "rows.jsonl");
  const lines = Array.from({ length: 10 }, (_, place) => ({
    id: `q${place}`,
    input: { question: `${place}?`, shop: place % 4 },
    labels: { golds: [] },
  }));
  await writeFile(rows, lines.map((line) => JSON.stringify(line)).join("\n"));
  const to = join(folder.path, "to");
  await runMain(["split", rows, "--to", to, "--cluster", "shop", "--shares", "1,1,0"]);
  expect(await readdir(to)).toEqual(["train.jsonl", "val.jsonl"]);
  const files = ["train.jsonl", "val.jsonl"].map((name) => readFile(join(to, name), "utf8"));
  const written = (await Promise.all(files)).join("").trimEnd().split("\n");
  const parsed = written.map((line) => JSON.parse(line) as (typeof lines)[number]);
  expect(parsed.toSorted((one, other) => (one.id < other.id ? -1 : 1))).toEqual(
    lines.map((line) => ({ ...line, cluster: String(line.input.shop) })),
  );
});

it("keeps flat rows of one input together whatever their labels and customers are", async () => {
  await using folder = await temporaryFolder();
  const rows = join(folder.path, "rows.csv");
  const lines = Array.from({ length: 60 }, (_, n) => `${n % 20}?,"[""${n}""]",c${n}`);
  await writeFile(rows, ["question,golds,cluster", ...lines].join("\n"));
  await runMain(["split", rows, "--to", folder.path, "--labels", "golds"]);
  const splits = await examplesIn(folder.path);
  const asked = Object.values(splits).map(
    (held) => new Set(held.map((each) => each.input.question)),
  );
  expect(asked.map(({ size }) => size)).toEqual([12, 4, 4]);
  expect(new Set(asked.flatMap((held) => [...held])).size).toBe(20);
  const inCode = splitByCluster(await readExamples(rows, fields), { seed: 0 });
  expect(splits).toEqual(inCode);
});

it("takes an empty cluster and null for none, and a number for its text", async () => {
  await using folder = await temporaryFolder();
  const rows = join(folder.path, "rows.jsonl");
  const clusters = ["", null, 7, "7"];
  const lines = clusters.map((cluster, place) =>
    JSON.stringify({ id: null, cluster, input: { question: `${place}` }, labels: { golds: [] } }),
  );
  await writeFile(rows, lines.join("\n"));
  await runMain(["split", rows, "--to", folder.path, "--shares", "1,0,0"]);
  const train = await readExamples(join(folder.path, "train.jsonl"), fields);
  expect(train.map(({ cluster }) => cluster)).toEqual([undefined, undefined, "7", "7"]);
});

it.each([
  ["a file that is not there", "nowhere.csv", []],
  ["flat rows without --labels", "rows.csv", []],
  ["a label that is no column", "rows.csv", ["--labels", "golds,gold"]],
  ["nested rows with --labels", "nested.jsonl", ["--labels", "golds"]],
  [
    "rows without the field of --cluster",
    "rows.csv",
    ["--labels", "golds", "--cluster", "custmer"],
  ],
  ["a field of --cluster that holds a list", "nested.jsonl", ["--cluster", "shops"]],
  ["two rows of one id", "repeated.jsonl", ["--labels", "a"]],
  ["a row that is no JSON", "broken.jsonl", []],
  ["too few rows", "few.jsonl", ["--labels", "a"]],
  ["shares of two splits", "rows.csv", ["--shares", "80,20"]],
  ["shares below zero", "rows.csv", ["--shares", "80,-20,40"]],
  ["a seed that is no number", "rows.csv", ["--seed", "x"]],
  ["files that are there already", "rows.csv", ["--to", "done"]],
])("%s ends with exit code 2 and writes nothing", async (_, rows, options) => {
  await using folder = await temporaryFolder();
  const files = {
    "rows.csv": csvOf(5),
    "repeated.jsonl": '{"id":"a","q":1,"a":1}\n{"id":"b","q":1}\n{"id":"a","q":2}\n',
    "broken.jsonl": '{"id":"a"}\n{"id":\n',
    "few.jsonl": '{"q":1,"a":1}\n{"q":2,"a":1}\n',
    "nested.jsonl": '{"input":{"q":1,"shops":[1]},"labels":{"golds":[]}}\n',
  };
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(folder.path, name), content);
  }
  await runMain(["split", "rows.csv", "--to", "done", "--labels", "golds"], { cwd: folder.path });
  const before = await readdir(folder.path, { recursive: true });
  const { code, stderr } = await runMain(["split", rows, ...options], { cwd: folder.path });
  expect(code).toBe(2);
  expect(stderr).toMatchSnapshot();
  expect(await readdir(folder.path, { recursive: true })).toEqual(before);
});

it("a trainset of nothing but rows is shown, evaluated and compiled without gaps", async () => {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, "rows.csv"), csvOf(10));
  const [artifact, result] = ["artifact.json", "result.json"].map((name) =>
    join(folder.path, name),
  );
  const own = { env: { OWN_ROWS: folder.path } };
  const study = "test/cli/fixtures/own-rows.ts";
  const shown = await runMain(["show", study], own);
  expect(shown.stdout).toContain("\ntrainset calls: 18 train, 6 val, 6 test\n");
  const json = JSON.parse((await runMain(["show", study, "--json"], own)).stdout);
  expect(Object.keys(json.trainset)).toEqual(["name", "checksum", "splits"]);
  const words = ["eval", study, "--artifact", artifact ?? "", "--out", result ?? ""];
  expect((await runMain(words, own)).code).toBe(0);
  const { compiled } = await readArtifact(artifact ?? "");
  expect(Object.keys(compiled.dataset ?? {}).toSorted()).toEqual(["checksum", "name", "splits"]);
  const described = await runMain(["show", artifact ?? ""], own);
  expect(described.stdout).toContain("\ndataset calls: 6 val\n");
  expect(JSON.parse(await readFile(result ?? "", "utf8")).trainset).toEqual({
    name: "calls",
    checksum: json.trainset.checksum,
  });
  for (const { stdout } of [shown, described])
    expect(stdout).not.toMatch(/undefined|\(\)|calls {2}/);
});
