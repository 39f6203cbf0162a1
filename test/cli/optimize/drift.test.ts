import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { rehearsalLm, serveRehearsal } from "@espalier/rehearsal";
import type { LanguageModel, Study } from "espalier";
import { study } from "espalier";
import { metric, scored } from "espalier/metric";
import { recordedReplies } from "espalier/optimizer";
import { compareRuns, readRunHistory } from "espalier/report";
import { trainset } from "espalier/trainset";
import { describe, expect, it } from "vitest";
import { repeatedRows, reportData, testReport } from "../../../src/report/files.ts";
import { reportedFigures } from "../../../src/report/on-test/test-report.ts";
import { figuresText } from "../../../src/cli/terminal/figures-text.ts";
import type { PlaceLabels } from "../../optimizer/support/place-search.ts";
import { placeStudy } from "../../optimizer/support/place-search.ts";
import { runMain } from "../../support/run-main.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const { splits, name: _name, checksum: _checksum, ...about } = placeStudy.trainset;
const optimized = placeStudy.program.with([
  { kind: "instruction", path: "broadQuery", value: "Write a query with the names." },
]);

/** The place study, each of its 20 examples of test alone in its cluster. */
function studyWith(scoreOf: (asked: number) => number): Study {
  let asked = 0;
  return study({
    name: "places-alone",
    program: placeStudy.program,
    trainset: trainset({
      ...about,
      name: "places-alone",
      splits: { ...splits, test: splits.test.map((one) => ({ ...one, cluster: one.id })) },
    }),
    objective: metric<object, object, PlaceLabels>({
      name: "mildness",
      version: "1",
      score: () => scored(scoreOf(asked++)),
    }),
  });
}

const options = {
  lm: rehearsalLm(),
  lms: {},
  concurrency: 1,
  seed: 0,
  repetitions: 1,
  measuresDrift: true,
  signal: new AbortController().signal,
};

describe("a report under a judge that becomes milder with each answer", () => {
  it("shows no difference, and names the drift", async () => {
    const report = await testReport(
      studyWith((asked) => asked / 100),
      optimized,
      options,
    );
    // Of 40 answers the seed has the 1st, 4th, 5th, 8th, ..., the other the 2nd, 3rd, 6th, 7th, ...
    const values = report.seed.rows.map(({ score }) =>
      score.kind === "scored" ? score.value : -1,
    );
    expect(values.slice(0, 8)).toEqual([0, 0.03, 0.04, 0.07, 0.08, 0.11, 0.12, 0.15]);
    expect(report.comparison?.difference).toBeCloseTo(0, 12);
    expect(report.comparison).toMatchObject({ verdict: "undecided", better: 10, worse: 10 });
    // The first eight rows again are answers 41 to 48: on average (40 + ... + 47 - 60) / 8 / 100.
    expect(report.drift).toMatchObject({ examples: 8, verdict: "better" });
    expect(report.drift?.difference).toBeCloseTo(0.36, 12);
    expect(figuresText(reportedFigures(report)).at(-1)).toBe(
      "drift: the same program scored 0.360 higher on 8 rows that were repeated at the end: the judge, an index or the LM may have drifted",
    );
    expect(reportData(report)).toMatchObject({ drift: { examples: 8 } });
  });

  it("is told by the run to all that show it", async () => {
    await using folder = await temporaryFolder();
    await using server = await serveRehearsal();
    const run = join(folder.path, "run");
    const fixture = "test/cli/fixtures/milder-places.ts";
    const words = "--optimizer gepa --budget 60 --concurrency 1 --json".split(" ");
    const lm = ["--lm", `${server.url}/v1`];
    const made = await runMain(["optimize", fixture, ...words, ...lm, "--run", run]);
    expect(made.stderr).toContain("on its 20 examples, and the seed program again on 8 of them");
    const drift = /drift: the same program scored 0\.\d{3} higher on 8 rows/;
    expect(made.stdout).toMatch(drift);
    expect((await runMain(["show", run])).stdout).toMatch(drift);
    const { notes } = compareRuns([{ kind: "run", path: run, history: readRunHistory(run) }]);
    expect(notes.join("\n")).toMatch(/^run, report on test: the same program scored/m);
    const asked = () => server.calls().byEndpoint["POST /v1/chat/completions"]?.received;
    const calls = asked();
    const resumed = await runMain(["optimize", fixture, "--resume", run, ...lm]);
    expect(resumed.stdout).toContain("on test");
    expect(asked()).toBe(calls);
  });
});

it("a judge that does not drift is not said to", async () => {
  const report = await testReport(
    studyWith((asked) => (asked % 3) / 2),
    optimized,
    options,
  );
  expect(report.drift).toMatchObject({ examples: 8, verdict: "undecided" });
  expect(figuresText(reportedFigures(report)).join("\n")).not.toContain("drift");
  expect(reportData(report)).toMatchObject({ drift: null });
});

it("repeats the first row of each cluster, and none where so few could show nothing", () => {
  const rows = (clusters: string) =>
    clusters.split("").map((cluster, index) => ({ id: `${index}`, cluster }));
  expect(
    repeatedRows(rows("aabcdefghij"))
      .map(({ id }) => id)
      .join(),
  ).toBe("0,2,3,4,5,6,7,8");
  expect(repeatedRows(rows("aaaabbbbcde"))).toEqual([]);
});

it("a report that ended halfway asks for nothing again", async () => {
  await using folder = await temporaryFolder();
  mkdirSync(join(folder.path, "run"));
  const path = join(folder.path, "run", "report.jsonl");
  const real = rehearsalLm();
  const begun = async (maxCalls: number) => {
    let calls = 0;
    const counting: LanguageModel = {
      identity: real.identity,
      doGenerate: (request, given) => {
        if (++calls > maxCalls) throw new Error("The power is out");
        return real.doGenerate(request, given);
      },
    };
    using replies = recordedReplies(counting, path);
    const report = testReport(
      studyWith((asked) => asked / 100),
      optimized,
      { ...options, lm: replies.lm },
    );
    return { ended: await report.catch(() => null), calls };
  };
  const halfway = await begun(30);
  expect(halfway).toEqual({ ended: null, calls: 31 });
  const rest = await begun(Infinity);
  // Two queries a run: of the other program one differs, of repeated rows both are asked anew.
  expect(30 + rest.calls).toBe(20 * 2 + 20 * 1 + 8 * 2);
  expect(rest.ended?.comparison?.difference).toBeCloseTo(0, 12);
});
