import { readdir, readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import type { Study } from "espalier";
import { loadArtifact, openRegistry } from "espalier/artifact";
import { shippedStudies } from "../../scripts/artifacts/shipped-studies.ts";
import { loadedStudy } from "../optimizers/support/loaded-study.ts";
import { shippedArtifacts } from "../../scripts/docs/artifact-table.ts";

const root = resolve(import.meta.dirname, "../..");
const registry = openRegistry(resolve(root, "artifacts"));
const shipped = await shippedArtifacts(registry.folder);

test("one artifact is shipped of each study that npm run artifacts runs", async () => {
  const studies = await Promise.all(shipped.map(async (each) => (await studyOf(each)).name));
  expect(studies.toSorted()).toEqual(shippedStudies.map(({ study }) => study).toSorted());
});

describe.each(shipped)("$path", ({ path, artifact }) => {
  test("loads into the program of the study that made it, as it is now (else npm run artifacts)", async () => {
    const { program } = await studyOf({ path, artifact });
    const loaded = loadArtifact(artifact, program);
    expect(loaded.components()).toEqual(artifact.compiled.components);
    const [report] = await registry.verify(program.name, { program });
    expect(report?.problems).toEqual([]);
  });

  test("says that the rehearsal LM made it, and no alias names it", async () => {
    expect(artifact.run["isRehearsal"]).toBe(true);
    expect(artifact.compiled.lm.provider).toBe("rehearsal");
    const { production, candidate } = await registry.aliases(artifact.compiled.program.name);
    expect({ production, candidate }).toEqual({ production: null, candidate: null });
  });
});

test("no instruction holds eight words in a row, or a whole sentence, of the shipped corpora", async () => {
  const rows = await Promise.all(
    ["passages", "conversations"].map(async (folder) => textsBelow(resolve(shelves, folder))),
  );
  const texts = [...rows.flat(), ...(await textsIn(resolve(shelves, "questions.jsonl")))];
  expect(texts.length).toBeGreaterThan(2_000);
  const copied = shipped.flatMap(({ path, artifact }) =>
    artifact.compiled.components.flatMap(({ kind, path: step, value }) =>
      kind === "instruction" && typeof value === "string"
        ? copiesIn(value, texts).map((one) => `${path}, ${step}: ${one}`)
        : [],
    ),
  );
  expect(copied).toEqual([]);
  // The sentence that an artifact once held, between others.
  const passage = texts.find((text) => text.includes("must stay unreserved")) ?? "";
  expect(copiesIn("Be short.\nAt least 50 must stay unreserved.\nCite.", texts)).toHaveLength(1);
  expect(copiesIn(passage.split(" ").slice(2, 10).join(" "), texts)).not.toEqual([]);
});

const shelves = resolve(root, "trainsets/four-shelves");

async function textsBelow(folder: string): Promise<readonly string[]> {
  const files = await readdir(folder);
  return (await Promise.all(files.map(async (file) => textsIn(resolve(folder, file))))).flat();
}

/** The strings of two words and more in a file of JSON lines. */
async function textsIn(file: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const line of (await readFile(file, "utf8")).split("\n")) {
    if (line === "") continue;
    JSON.parse(line, (_, value: unknown) => {
      if (typeof value === "string" && value.includes(" ")) found.push(value);
      return value;
    });
  }
  return found;
}

/** Eight words in a row, and whole sentences of at least six, that stand in an instruction. */
function copiesIn(instruction: string, texts: readonly string[]): readonly string[] {
  const plain = (text: string): string =>
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(" ") ?? "";
  const held = ` ${plain(instruction)} `;
  const words = held.trim().split(" ");
  const runs = new Set(words.map((_, index) => words.slice(index, index + 8).join(" ")));
  return texts.flatMap((text) => {
    const all = plain(text).split(" ");
    const sentences = text.split(/(?<=[.!?])\s+/).map(plain);
    return [
      ...all.flatMap((_, index) => {
        const run = all.slice(index, index + 8);
        return run.length === 8 && runs.has(run.join(" ")) ? [run.join(" ")] : [];
      }),
      ...sentences.filter((one) => one.split(" ").length >= 6 && held.includes(` ${one} `)),
    ];
  });
}

async function studyOf({ path, artifact }: (typeof shipped)[number]): Promise<Study> {
  return loadedStudy(resolve(root, dirname(path), artifact.compiled.program.module ?? ""));
}
