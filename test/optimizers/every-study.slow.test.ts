import { readdir } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { runCli } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { loadedStudy } from "./support/loaded-study.ts";
import { studyFiles } from "./support/study-files.ts";

/** What is needed of the line that `--json` ends with. */
const reported = z.object({
  program: z.string(),
  rehearsal: z.literal(true),
  artifact: z.string(),
  spent: z.object({ metricCalls: z.number() }),
  test: z.object({
    /** Both are `null` where the program is as it was. */
    difference: z.object({ low: z.number(), high: z.number() }).nullable(),
    pValue: z.number().nullable(),
    improved: z.boolean(),
  }),
});

describe("each study, optimized from the command line as a fresh clone would", () => {
  test.each(studyFiles)(
    "%s ends, claims no more than test shows, and leaves an artifact that runs by itself",
    async (_, path) => {
      const study = await loadedStudy(path);
      await using folder = await temporaryFolder();
      const here = { cwd: folder.path };
      const { code, stdout, stderr } = await runCli(
        ["optimize", path, "--budget", "small", "--json"],
        here,
      );
      expect({ code, stderr }).toMatchObject({ code: 0 });
      const { artifact, spent, test: held, program } = reported.parse(lastLine(stdout));
      expect(spent.metricCalls).toBeLessThanOrEqual(5 * study.trainset.splits.val.length);
      expect(program).toBe(study.program.name);

      // Both must show it: an interval alone is overconfident with few clusters.
      const { difference, pValue } = held;
      const isNew = difference !== null && pValue !== null;
      expect(held.improved).toBe(isNew && difference.low > 0 && pValue <= 0.05);
      expect(stdout).toMatch(
        held.improved
          ? /^verdict: a gain/m
          : isNew
            ? /^verdict: (?:no gain is shown|a loss): /m
            : /^verdict: nothing changed: /m,
      );
      expect(stdout).toContain("rehearsal: figures from the rehearsal LM");

      // Another process, that has nothing but the file and what it names, which is in another
      // project.
      const [example] = study.trainset.splits.test;
      const input = ["--input", JSON.stringify(example?.input)];
      const run = await runCli(["run", artifact, ...input, "--trust-module"], here);
      expect({ code: run.code, stderr: run.stderr }).toMatchObject({ code: 0 });
      expect(Object.keys(JSON.parse(run.stdout) as object).length).toBeGreaterThan(0);

      expect(await readdir(folder.path)).toEqual([".espalier"]);
    },
  );
});

function lastLine(text: string): unknown {
  return JSON.parse(text.trimEnd().split("\n").at(-1) ?? "");
}
