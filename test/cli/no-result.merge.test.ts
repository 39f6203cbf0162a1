import { expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";

test.each(["eval", "run"])(
  "%s that waits for what cannot happen says so, and fails",
  async (name) => {
    const given =
      name === "run" ? ["--input", '{"question":"Where?","history":""}'] : ["--limit", "1"];
    const words = [name, "test/cli/fixtures/never-settles.ts", "--rehearsal", ...given];
    const { code, stderr } = await runCli(words);
    expect(code).toBe(1);
    expect(stderr).toContain("espalier: The command has no result");
  },
);
