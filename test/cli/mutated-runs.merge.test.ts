import { cp, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readRun } from "espalier/optimizer";
import { runTree } from "../../src/cli/show/run-text.ts";
import { reportPage } from "../../src/report-page/index.ts";
import { randomSource } from "../../src/internal/index.ts";
import { madeComparison } from "../report-page/made-comparison.ts";
import { frameOf } from "../support/page-comparison.ts";
import { hostileText, mutateValues } from "../support/mutated.ts";
import { decisionsIn, isDecision } from "../support/journal.ts";
import { runMain } from "../support/run-main.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = await temporaryFolder();
afterAll(() => folder[Symbol.asyncDispose]());
const run = join(folder.path, "run");
const frame = frameOf(reportPage(madeComparison({ candidates: 1, examples: 1 })));
beforeAll(async () => {
  const places = "test/cli/fixtures/places.ts";
  const begun = await runMain(["optimize", places, "--budget", "120", "--run", run]);
  if (begun.code !== 0) throw new Error(begun.stderr);
});

describe("a run's folder that something else has written to", () => {
  it.each(["journal.jsonl", "report.jsonl", "reports.json"])(
    "is shown, or refused in one message: %s",
    async (file) => {
      const mutated = join(folder.path, file);
      await cp(run, mutated, { recursive: true });
      const content = await readFile(join(run, file), "utf8");
      const random = randomSource(13, `mutated ${file}`);
      const codes = new Set<number | null>();
      for (let turn = 0; turn < (file === "journal.jsonl" ? 150 : 40); turn++) {
        await writeFile(join(mutated, file), mutatedText(content, random));
        const page = join(folder.path, "page.html");
        const { code, stdout, stderr } = await runMain(["show", mutated, "--html", page]);
        codes.add(code);
        expect(stdout + stderr).not.toMatch(hidden);
        const isShown = code === 0;
        expect(stderr).toMatch(isShown ? /^$/ : refusal);
        expect(stdout === "").toBe(!isShown);
        expect(isShown ? frameOf(await readFile(page, "utf8")) : frame).toBe(frame);
      }
      expect([...codes].toSorted()).toEqual([0, 2]);
    },
  );

  it.each<[what: string, change: (line: string) => string, told: string]>([
    ["a line is missing", () => "", "Expected: sequence 6"],
    [
      "a number is a text",
      (line) => line.replace('"iteration":1', `"iteration":${JSON.stringify(hostileText)}`),
      "A line of the file was changed after it was written",
    ],
    [
      "a value is nested without end",
      (line) => line.replace("{", `{"deep":${"[".repeat(5_000)}${"]".repeat(5_000)},`),
      "A line of the file is broken",
    ],
  ])("says which line is wrong and why: %s", async (_, change, told) => {
    const lines = (await readFile(join(run, "journal.jsonl"), "utf8")).split("\n");
    const index = lines.findIndex((line) => line.includes('"kind":"iteration-start"'));
    const line = change(lines[index] ?? "");
    const changed = lines.with(index, line).filter((each) => each !== "");
    // Of a line that is missing, the decision that follows is found to be wrong.
    const next = changed.findIndex((each, at) => at >= index && isDecision(each));
    const wrong = 1 + (line === "" ? next : index);
    const mutated = join(folder.path, "one-line");
    await cp(run, mutated, { recursive: true });
    await writeFile(join(mutated, "journal.jsonl"), `${changed.join("\n")}\n`);
    const { code, stderr } = await runMain(["show", mutated]);
    expect(code).toBe(2);
    expect(stderr).toContain(`journal.jsonl:${wrong})`);
    expect(stderr).toContain(told);
    const places = "test/cli/fixtures/places.ts";
    const resumed = await runMain(["optimize", places, "--budget", "120", "--resume", mutated]);
    expect(resumed.code).toBe(2);
    expect(resumed.stderr).toContain(`journal.jsonl:${wrong})`);
  });
});

it("goes on where a kill came before its first decision was whole", async () => {
  const cut = join(folder.path, "cut");
  await cp(run, cut, { recursive: true });
  await truncate(join(cut, "journal.jsonl"), 300);
  const { code, stderr } = await runMain(["show", cut]);
  expect(code).toBe(2);
  expect(stderr).toContain("as when a run has just begun");
  const places = "test/cli/fixtures/places.ts";
  const resumed = await runMain(["optimize", places, "--budget", "120", "--resume", cut]);
  expect(resumed.code).toBe(0);
  expect(decisionsIn(cut)).toBe(decisionsIn(run));
});

describe("the tree of a run", () => {
  it("shows a line of descent that is longer than the stack is deep", () => {
    const recorded = readRun(run);
    const [seed] = recorded.candidates;
    if (seed === undefined) throw new Error("no seed");
    const candidates = Array.from({ length: 20_000 }, (_, id) => ({
      ...seed,
      id,
      parents: id === 0 ? [] : [id - 1],
    }));
    expect(runTree(candidates).map(({ candidate }) => candidate.id)).toEqual(
      candidates.map(({ id }) => id),
    );
  });
});

// oxlint-disable-next-line no-control-regex -- what must not reach a terminal
const hidden = /[\0-\u0008\u000b-\u001f\u007f-\u009f\u202e]/;

/** One message of a limited length, without a stack. */
const refusal = /^espalier: file-(malformed|missing): (?:(?!\n\s+at )[^]){1,3000}$/;

function mutatedText(content: string, random: ReturnType<typeof randomSource>): string | Buffer {
  const pick = random.choice;
  const how = random.below(10);
  if (how < 6) {
    const lines = content
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as object);
    mutateValues(lines, random);
    return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  }
  if (how < 8) {
    const bytes = Buffer.from(content);
    const index = random.below(bytes.length);
    bytes[index] = (bytes[index] ?? 0) ^ (1 << random.below(8));
    return bytes;
  }
  if (how < 9) return content.slice(0, random.below(content.length));
  const lines = content.split("\n");
  lines.splice(random.below(lines.length), 1 + random.below(3), pick(lines));
  return lines.join("\n");
}
