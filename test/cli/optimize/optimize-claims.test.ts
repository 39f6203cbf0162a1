import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LmError, textOfContent } from "espalier";
import { rehearsalLm } from "@espalier/rehearsal";
import { isClaimable, reportData, testReport } from "../../../src/report/files.ts";
import { placeStudy } from "../../optimizer/support/place-search.ts";
import { runMain } from "../../support/run-main.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

describe("what espalier optimize claims", () => {
  it("is no improvement where test cannot show one, in words and in JSON, although the mean is higher", async () => {
    await using folder = await temporaryFolder();
    const { code, stdout } = await runMain([
      "optimize",
      "test/cli/fixtures/few-places.ts",
      "--budget",
      "60",
      "--run",
      join(folder.path, "run"),
      "--json",
    ]);
    expect(code).toBe(0);
    const last = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "") as {
      readonly test: {
        readonly difference: { readonly mean: number };
        readonly objectives: readonly object[];
      };
    };
    expect(last.test.difference.mean).toBeGreaterThan(0.2);
    for (const figure of [last.test, ...last.test.objectives]) {
      expect(figure).toMatchObject({ verdict: "undecided", improved: false });
    }
    expect(stdout).toContain("\nverdict: no gain is shown: ");
    expect(stdout).not.toContain("better than ");
  });
});

describe("a report with too much of test unscored", () => {
  it("claims nothing, although what was scored is better", async () => {
    const instruction = (path: string) => ({
      kind: "instruction" as const,
      path,
      value:
        "Write a search query for the question.\nIn every query, include the names from the first question.",
    });
    const optimized = placeStudy.program.with([
      instruction("broadQuery"),
      instruction("narrowQuery"),
    ]);
    const failing = placeStudy.trainset.splits.test.slice(0, 2).map(historyOf);
    const fails = (prompt: string): boolean =>
      prompt.includes("include the names") && failing.some((history) => prompt.includes(history));
    const lm = rehearsalLm();
    const report = await testReport(placeStudy, optimized, {
      lm: {
        identity: lm.identity,
        doGenerate: async (request, options) => {
          if (!fails(request.messages.map(({ content }) => textOfContent(content)).join("\n"))) {
            return lm.doGenerate(request, options);
          }
          throw new LmError({ code: "lm-server-error", problem: "The gateway says no" });
        },
      },
      lms: {},
      concurrency: 8,
      seed: 0,
      repetitions: 1,
      measuresDrift: false,
      signal: new AbortController().signal,
    });
    expect(report.comparison?.verdict).toBe("better");
    expect(isClaimable(report)).toBe(false);
    expect(reportData(report)).toMatchObject({ verdict: "undecided", improved: false });
  });
});

function historyOf({ input }: { readonly input: unknown }): string {
  const { history } = input as { readonly history: string };
  return history.split("\n")[0] ?? "";
}
