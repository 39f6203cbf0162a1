import { describe, expect, it } from "vitest";
import { appendFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { OptimizationResult, Optimizer } from "espalier/optimizer";
import { chooseCandidate, optimize, paretoFront, gepa, readRun } from "espalier/optimizer";
import { rehearsalLm } from "@espalier/rehearsal";
import { withChecksum } from "../../src/storage/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { thrownBy } from "../support/thrown-by.ts";
import { placeStudy } from "./support/place-search.ts";
import { runPlaces } from "./support/run-places.ts";

type Plain = Omit<OptimizationResult, "program">;

describe("behaviour 22: a result", () => {
  it("survives JSON, the program excepted, and what is read back works like the original", async () => {
    const { result } = await runPlaces({ budget: { metricCalls: 90 } });
    const { program: _program, ...plain } = result;
    const back = JSON.parse(JSON.stringify(plain)) as Plain;
    expect(back).toEqual(plain);
    expect(paretoFront(back.candidates)).toEqual(result.front);
    const choice = { atLeast: { quality: 0 }, least: "promptTokens" };
    expect(chooseCandidate(back, choice)).toEqual(chooseCandidate(result, choice));
    const rebuilt = placeStudy.program.with(back.components);
    expect(rebuilt.components()).toEqual(result.program.components());
  });

  it("says of each proposal why it was accepted or refused, and nobody is both", async () => {
    const { result, events } = await runPlaces({ budget: { metricCalls: 150 } });
    for (const { acceptance } of result.candidates) {
      expect(acceptance.by).not.toBe("");
      expect(acceptance.detail).toMatch(/^[A-Z0-9].*[.]$/);
    }
    for (const { detail } of result.rejections) expect(detail.length).toBeGreaterThan(10);
    const decided = events.filter(
      ({ kind }) => kind === "candidate-accepted" || kind === "candidate-refused",
    );
    expect(decided).toHaveLength(result.candidates.length + result.rejections.length);
  });

  it("is given, with what else an optimizer found, whatever that is", async () => {
    const found: { scores: Float64Array; found?: unknown } = { scores: new Float64Array([1, 2]) };
    found.found = found;
    const inner = gepa();
    const optimizer: Optimizer = {
      ...inner,
      doOptimize: async (space, run) => ({ ...(await inner.doOptimize(space, run)), found }),
    };
    const budget = { metricCalls: 40 };
    const result = await optimize(placeStudy, { optimizer, budget, lm: rehearsalLm() });
    expect(result).toMatchObject({ found: { scores: new Float64Array([1, 2]) } });
    expect(Object.isFrozen(found)).toBe(true);
  });

  it("has latency only where it is asked for, and repeats it when resumed", async () => {
    const { result } = await runPlaces({ budget: { metricCalls: 40 } });
    expect(result.candidates[0]?.selection.costs).not.toHaveProperty("latencyMs");
    await using folder = await temporaryFolder();
    const options = {
      optimizer: gepa(),
      budget: { metricCalls: 40 },
      lm: rehearsalLm(),
      measuresLatency: true,
      runFolder: folder.path,
    };
    const timed = await optimize(placeStudy, options);
    expect(timed.candidates[0]?.selection.costs?.latencyMs).toBeGreaterThanOrEqual(0);
    const again = await optimize(placeStudy, { ...options, resume: true });
    expect(again.candidates).toEqual(timed.candidates);
  });
});

describe("a run's folder alone", () => {
  it("tells what the result tells", async () => {
    await using folder = await temporaryFolder();
    const { result } = await runPlaces({ runFolder: folder.path, budget: { metricCalls: 150 } });
    const recorded = readRun(folder.path);
    expect(recorded.candidates).toEqual(JSON.parse(JSON.stringify(result.candidates)));
    expect(recorded.rejections).toEqual(result.rejections);
    expect(recorded.best?.id).toBe(result.best.id);
    expect(recorded).toMatchObject({
      run: result.run,
      front: result.front,
      spent: result.spent,
      end: { reason: result.reason },
      billed: {
        student: result.ledger.byRole.student?.billed,
        reflection: result.ledger.byRole.reflection?.billed,
      },
    });
  });

  it("tells of a run that has not ended, torn last line included, and changes nothing", async () => {
    await using folder = await temporaryFolder();
    await runPlaces({ runFolder: folder.path, budget: { metricCalls: 90 } });
    const path = join(folder.path, "journal.jsonl");
    const lines = (await readFile(path, "utf8")).split("\n");
    const accepted = lines.findIndex((line) => line.includes('"kind":"candidate-accepted"'));
    const torn = `${lines.slice(0, accepted + 1).join("\n")}\n{"seq`;
    await writeFile(path, torn);
    const recorded = readRun(folder.path);
    expect(recorded.end).toBeUndefined();
    expect(recorded.candidates[0]?.id).toBe(0);
    expect(await readFile(path, "utf8")).toBe(torn);
  });

  it("is refused when it holds no run, or a broken one", async () => {
    await using folder = await temporaryFolder();
    expect((await thrownBy(() => readRun(folder.path))).code).toBe("file-missing");
    await runPlaces({ runFolder: folder.path, budget: { metricCalls: 40 } });
    const path = join(folder.path, "journal.jsonl");
    const content = await readFile(path, "utf8");
    await writeFile(path, content.replace("\n", "\n{broken\n"));
    expect((await thrownBy(() => readRun(folder.path))).message).toContain("journal.jsonl:2");
    await rm(path);
    const missing = await thrownBy(() => readRun(folder.path));
    expect(missing.code).toBe("file-missing");
    expect(missing.message).toContain("No run was found");
    await mkdir(path);
    const unreadable = await thrownBy(() => readRun(folder.path));
    expect(unreadable.code).toBe("file-missing");
    expect(unreadable.message).toContain("EISDIR");
    expect(unreadable.message).not.toContain("resume");
    await rm(path, { recursive: true });
    const head = { sequence: 0, kind: "run-start", format: "espalier-journal/1" };
    await appendFile(path, `${withChecksum(head)}\n`);
    const other = await thrownBy(() => readRun(folder.path));
    expect(other.code).toBe("file-malformed");
    expect(other.message).toContain("written by another version of espalier");
    expect(other.message).toContain("start a new run");
  });
});
