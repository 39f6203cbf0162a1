import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

describe("what espalier optimize claims", () => {
  it("is no improvement where test cannot show one, in words and in JSON, although the mean is higher", async () => {
    await using folder = await temporaryFolder();
    const { code, stdout } = await runCli([
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
    expect(stdout).toContain("not shown to differ from the seed: difference +");
    expect(stdout).not.toContain("better than the seed");
  });
});
