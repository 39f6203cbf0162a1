import { cpSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { LanguageModel } from "espalier";
import { rehearsalLm } from "@espalier/rehearsal";
import { openJsonlFile, withChecksum } from "../../src/storage/index.ts";
import type { Proposer } from "../../src/optimizer/index.ts";
import { customProposer, optimizeTexts, sameParent } from "../../src/optimizer/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { thrownBy } from "../support/thrown-by.ts";
import { placeStudy } from "./support/place-search.ts";
import { compiledPart, runPlaces } from "./support/run-places.ts";
import { gepaWith } from "./support/gepa-with.ts";
import { decisionsIn, workIn } from "../support/journal.ts";

describe("a file of lines", () => {
  it("loses a torn last line when it is opened, and goes on after the line before", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "lines.jsonl");
    await writeFile(path, `${linesOf({ a: 1 }, { a: 2 })}{"a":3,"te`);
    const torn = openJsonlFile(path);
    expect(torn.existing).toEqual([{ a: 1 }, { a: 2 }]);
    torn.append({ a: "ä\n" });
    torn.close();
    expect(await readFile(path, "utf8")).toBe(linesOf({ a: 1 }, { a: 2 }, { a: "ä\n" }));
  });

  it("is refused when a line is broken, naming the line", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "lines.jsonl");
    for (const after of ["", linesOf({ a: 3 })]) {
      await writeFile(path, `${linesOf({ a: 1 })}{"a":\n${after}`);
      const error = await thrownBy(() => openJsonlFile(path));
      expect(error.code).toBe("file-malformed");
      expect(error.message).toContain("lines.jsonl:2");
    }
  });
});

function linesOf(...values: readonly object[]): string {
  return values.map((value) => `${withChecksum(value)}\n`).join("");
}

describe("a run with a folder", () => {
  it("is repeated from its journal without a call, and to the same result", async () => {
    await using folder = await temporaryFolder();
    const first = await runPlaces({ runFolder: folder.path });
    const before = await readFile(join(folder.path, "journal.jsonl"), "utf8");
    expect(before.trimEnd().split("\n").at(-1)).toContain('"kind":"run-end"');
    const again = await runPlaces({ runFolder: folder.path, resume: true });
    expect(first.seen.calls).toBeGreaterThan(50);
    expect(again.seen).toEqual({ calls: 0, rollouts: 0 });
    expect(compiledPart(again)).toEqual(compiledPart(first));
    expect(again.result.ledger).toEqual(first.result.ledger);
    expect(again.events).toEqual(first.events);
    expect(await readFile(join(folder.path, "journal.jsonl"), "utf8")).toBe(before);
  });

  it("is repeated also where a cap fell between two steps of one proposal", async () => {
    await using folder = await temporaryFolder();
    const asked: number[] = [];
    const twice: Proposer = {
      name: "twice",
      asksReflection: false,
      propose: async (requests, run) => {
        for (const step of [1, 2]) {
          await run.consult(requests.length, () => Promise.resolve(asked.push(step)));
        }
        return requests.map(({ component }) => ({ ok: true, text: `${component.value}!` }));
      },
    };
    const search = async (options: object): Promise<object> => {
      const { spent, candidates, reason } = await optimizeTexts(
        {
          name: "bangs",
          version: "1",
          texts: { one: "1" },
          train: { a: 1, b: 2 },
          val: { a: 1, b: 2 },
          evaluate: ({ one = "" }) => ({ score: one.length / 99, feedback: "Longer." }),
        },
        {
          // Each text takes two: the second of the second one is refused.
          budget: { reflectionCalls: 3 },
          optimizer: gepaWith({ proposer: twice, proposals: sameParent({ count: 1 }) }),
          runFolder: folder.path,
          ...options,
        },
      );
      return { spent, candidates, reason };
    };
    const first = await search({});
    expect(asked).toEqual([1, 2, 1]);
    expect(first).toMatchObject({ spent: { reflectionCalls: 3 }, reason: "budget" });
    expect(await search({ resume: true })).toEqual(first);
    expect(asked).toEqual([1, 2, 1]);
  });

  it("keeps the time of iterations that brought nothing, wherever it is killed", async () => {
    await using folder = await temporaryFolder();
    const copy = join(folder.path, "killed");
    const runFolder = join(folder.path, "run");
    // A clock that a rollout moves by one second.
    let now = 0;
    const clock = { now: () => now, sleep: () => new Promise<void>(() => {}) };
    let killedAt = 0;
    let refused = 0;
    const options = { clock, budget: { metricCalls: 100 } };
    await runPlaces({
      ...options,
      runFolder,
      onEvent: (event) => {
        if (event.kind === "progress") now += 1000;
        if (event.kind !== "iteration-end" || event.accepted.length > 0 || killedAt > 0) return;
        // Two in a row, so that the acceptance before is long past.
        if (++refused < 2) return;
        killedAt = now;
        cpSync(runFolder, copy, { recursive: true });
      },
    });
    expect(killedAt).toBeGreaterThan(0);
    now = 0;
    // The run is gone on with for no time at all: what it ends with is what the killed process had
    // noted.
    const aborting = new AbortController();
    aborting.abort();
    await thrownBy(() =>
      runPlaces({ ...options, runFolder: copy, resume: true, signal: aborting.signal }),
    );
    const elapsed = workIn(copy).findLast((line) => line.kind === "elapsed");
    expect(elapsed?.ms).toBe(killedAt);
  });

  it("forecasts its end from the calls of its own process once it is resumed", async () => {
    await using folder = await temporaryFolder();
    let now = 0;
    const clock = { now: () => now, sleep: () => new Promise<void>(() => {}) };
    const { objective } = placeStudy;
    const slowStudy = {
      ...placeStudy,
      objective: {
        ...objective,
        doScore: (given: Parameters<typeof objective.doScore>[0]) => {
          now += 1000;
          return objective.doScore(given);
        },
      },
    };
    const stopping = new AbortController();
    const options = { clock, concurrency: 1, runFolder: folder.path };
    await thrownBy(() =>
      runPlaces(
        {
          ...options,
          signal: stopping.signal,
          onEvent: (event) => {
            if (event.kind === "progress" && event.metricCalls === 60) stopping.abort();
          },
        },
        slowStudy,
      ),
    );
    const { progress } = await runPlaces({ ...options, resume: true }, slowStudy);
    expect(progress.length).toBeGreaterThan(10);
    for (const { cap, metricCalls, etaMs } of progress) {
      // A few answers cannot be read and are never scored, which takes no time here.
      // oxlint-disable-next-line espalier-tests/no-duration-bound -- of the clock above
      expect(etaMs).toBeGreaterThanOrEqual(((cap ?? 0) - metricCalls) * 500);
      // oxlint-disable-next-line espalier-tests/no-duration-bound -- of the clock above
      expect(etaMs).toBeLessThanOrEqual(((cap ?? 0) - metricCalls) * 1000);
    }
  });

  it("has the same decisions, byte for byte, at any concurrency", async () => {
    const journals = await Promise.all(
      [1, 32].map(async (concurrency) => {
        await using folder = await temporaryFolder();
        await runPlaces({ runFolder: folder.path, concurrency });
        return decisionsIn(folder.path);
      }),
    );
    expect(journals[0]).toBe(journals[1]);
  });

  it("goes on from whatever of its journal is left, cut at any byte", async () => {
    const whole = await runPlaces({ budget: { metricCalls: 60 } });
    await using folder = await temporaryFolder();
    await runPlaces({ runFolder: folder.path, budget: { metricCalls: 60 } });
    const journal = await readFile(join(folder.path, "journal.jsonl"));
    for (const share of [0, 0.0001, 0.05, 0.31, 0.5, 0.77, 0.99]) {
      await using copy = await temporaryFolder();
      await writeFile(
        join(copy.path, "journal.jsonl"),
        journal.subarray(0, journal.length * share),
      );
      const resumed = await runPlaces({
        runFolder: copy.path,
        resume: true,
        budget: { metricCalls: 60 },
      });
      expect(compiledPart(resumed)).toEqual(compiledPart(whole));
      expect(decisionsIn(copy.path)).toBe(decisionsIn(folder.path));
    }
  });

  it("stops on abort and goes on later, asking for nothing it was told", async () => {
    const whole = await runPlaces();
    await using folder = await temporaryFolder();
    const told = new Set<string>();
    const again: string[] = [];
    const lm = noting(told, again);
    for (const [index, stopAfter] of [10, 40, 30].entries()) {
      const controller = new AbortController();
      let calls = 0;
      const error = await thrownBy(() =>
        runPlaces({
          runFolder: folder.path,
          resume: index > 0,
          signal: controller.signal,
          lm: {
            identity: lm.identity,
            doGenerate: (request, options) => {
              if (++calls === stopAfter) controller.abort();
              return lm.doGenerate(request, options);
            },
          },
        }),
      );
      expect(error.code).toBe("aborted");
    }
    const resumed = await runPlaces({ runFolder: folder.path, resume: true, lm });
    expect(compiledPart(resumed)).toEqual(compiledPart(whole));
    expect(again).toEqual([]);
  });

  it("charges calls that were in flight at a kill", async () => {
    await using folder = await temporaryFolder();
    const first = await runPlaces({ runFolder: folder.path });
    const work = openJsonlFile(join(folder.path, "journal.jsonl"));
    work.append({ kind: "sent", key: "k1", role: "student" });
    work.append({ kind: "sent", key: "k2", role: "reflection" });
    work.close();
    const again = await runPlaces({ runFolder: folder.path, resume: true });
    const { student, reflection } = again.result.ledger.byRole;
    const before = first.result.ledger.byRole;
    expect(student?.billed).toMatchObject({
      calls: (before.student?.billed.calls ?? 0) + 1,
      failedCalls: 1,
    });
    expect(reflection?.billed).toMatchObject({
      calls: (before.reflection?.billed.calls ?? 0) + 1,
      failedCalls: 1,
    });
    expect(again.result.spent).toEqual(first.result.spent);
  });
});

describe("resuming another run is refused, and what differs is named:", () => {
  it.each<[string, Parameters<typeof runPlaces>[0], string]>([
    ["seed", { seed: 5 }, "`seed` (--seed) was 0 and is 5"],
    ["budget", { budget: { metricCalls: 99 } }, "`budget.metricCalls` (--budget) was 40 and is 99"],
    [
      "a setting",
      { optimizer: gepaWith({ minibatchSize: 4 }) },
      "`optimizer.settings.search.minibatchSize` was 3 and is 4",
    ],
    ["measures", { measuresLatency: true }, "`measuresLatency` is new (true)"],
    [
      "the LM",
      { lm: rehearsalLm({ model: "other" }) },
      '`lm.model` (--model) was "rehearsal" and is "other"',
    ],
  ])("%s", async (_, options, named) => {
    await using folder = await temporaryFolder();
    const { path: runFolder } = folder;
    await runPlaces({ runFolder, budget: { metricCalls: 40 } });
    const error = await thrownBy(() =>
      runPlaces({ runFolder, resume: true, budget: { metricCalls: 40 }, ...options }),
    );
    expect(error.code).toBe("journal-mismatch");
    expect(error.message).toContain(named);
  });

  it("the program and the data", async () => {
    await using folder = await temporaryFolder();
    const { path: runFolder } = folder;
    await runPlaces({ runFolder });
    const { program, trainset } = placeStudy;
    const changed = {
      ...placeStudy,
      program: program.with([{ kind: "instruction", path: "broadQuery", value: "Search well." }]),
      trainset: { ...trainset, checksum: "0".repeat(64) },
    };
    const { message } = await thrownBy(() => runPlaces({ runFolder, resume: true }, changed));
    expect(message).toMatch(/the instruction of broadQuery has "Search well." instead of "/);
    expect(message).toContain("the content of the trainset changed");
    expect(message).not.toMatch(/[0-9a-f]{12}/);
  });

  it("a text task: its order, what its texts are for, and whether one split does both", async () => {
    const examples = { a: 1, b: 2, c: 3 };
    const task = {
      name: "texts",
      version: "1",
      texts: { one: "1", two: "2" },
      train: examples,
      val: examples,
      evaluate: () => ({ score: 0.5 }),
    };
    await using folder = await temporaryFolder();
    const options = {
      optimizer: gepaWith({ proposer: customProposer("same", () => "1") }),
      budget: { metricCalls: 10 },
      runFolder: folder.path,
    };
    await optimizeTexts(task, options);
    const differing = async (changed: Partial<typeof task> | object): Promise<string> =>
      (await thrownBy(() => optimizeTexts({ ...task, ...changed }, { ...options, resume: true })))
        .message;
    const turned = { c: 3, b: 2, a: 1 };
    expect(await differing({ texts: { two: "2", one: "1" } })).toContain("`task.texts` changed");
    expect(await differing({ texts: { one: "1", two: "3" } })).toContain('two was "2" and is "3"');
    const train = await differing({ train: turned, val: turned });
    expect(train).toContain("task.train");
    expect(await differing({ val: { ...examples } })).toContain("`task.val` changed");
    expect(await differing({ descriptions: { one: "A number." } })).toContain("task.descriptions");
  });

  it("code that diverges from the journal", async () => {
    await using folder = await temporaryFolder();
    const { path: runFolder } = folder;
    await runPlaces({ runFolder });
    // Its replies stay: only the scores are made anew.
    const journal = join(runFolder, "journal.jsonl");
    const lines = (await readFile(journal, "utf8")).split("\n");
    await writeFile(
      journal,
      lines.filter((line) => !line.startsWith('{"kind":"rollout"')).join("\n"),
    );
    const { objective } = placeStudy;
    const lenient = {
      ...placeStudy,
      objective: { ...objective, doScore: () => ({ kind: "scored", value: 0.9 }) as const },
    };
    const error = await thrownBy(() => runPlaces({ runFolder, resume: true }, lenient));
    expect(error.code).toBe("journal-mismatch");
    expect(error.message).toContain("diverged from its journal");
  });

  it("a folder without a run, and a run where none was to be resumed", async () => {
    await using folder = await temporaryFolder();
    const { path: runFolder } = folder;
    const missing = await thrownBy(() => runPlaces({ runFolder, resume: true }));
    expect(missing.code).toBe("file-missing");
    await runPlaces({ runFolder });
    expect((await thrownBy(() => runPlaces({ runFolder }))).message).toContain(
      "already holds a run",
    );
  });
});

/**
 * A rehearsal LM that answers slowly enough to be cut off, and notes what it answered and was asked
 * again.
 */
function noting(told: Set<string>, again: string[]): LanguageModel {
  const lm = rehearsalLm();
  return {
    identity: lm.identity,
    doGenerate: async (request, options) => {
      const asked = JSON.stringify(request);
      if (told.has(asked)) again.push(asked);
      await setImmediate();
      options?.signal?.throwIfAborted();
      const reply = await lm.doGenerate(request, options);
      told.add(asked);
      return reply;
    },
  };
}
