import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { randomSource } from "espalier";
import { serveRehearsal } from "@espalier/rehearsal";
import { askedAgainIn } from "../../optimizer/support/asked-again-in.ts";
import { startCli } from "../../support/run-cli.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { tableIn, timeless } from "./support.ts";

const places = "test/cli/fixtures/place-experiment.ts";
const endpoint = "POST /v1/chat/completions";

test("an experiment killed at random and resumed has the same table, and asks for no reply twice", async () => {
  await using server = await serveRehearsal({ latencyMs: 3 });
  await using folder = await temporaryFolder();
  const given = ["--lm", `${server.url}/v1`, "--cache", "none", "--concurrency", "4"];
  const start = (...words: readonly string[]) => startCli(["experiment", places, ...words]);
  const calls = () => server.calls().byEndpoint[endpoint] ?? { received: 0, repeated: 0 };

  const whole = join(folder.path, "whole");
  expect(await start(...given, "--run", whole).ended).toMatchObject({ code: 0 });
  const expected = timeless(await tableIn(whole));
  const total = calls().received;
  const markdown = await readFile(join(whole, "table.md"), "utf8");
  expect(markdown).toContain("mocks: LM");

  for (let round = 0; round < 2; round++) {
    const run = join(folder.path, `run-${round}`);
    const random = randomSource(5, "experiment-kills", round);
    const before = calls().received;
    // By calls, not by time, so that kills fall everywhere on any machine.
    const moments = Array.from({ length: 3 }, () => 1 + random.below(total - 1));
    let killed = 0;
    for (const moment of moments.toSorted((one, other) => one - other)) {
      const child = start(...(killed === 0 ? [...given, "--run", run] : ["--resume", run]));
      let isOver = false;
      void child.ended.then(() => (isOver = true));
      while (calls().received - before < moment && !isOver) {
        await new Promise((tick) => setTimeout(tick, 1));
      }
      if (isOver) break;
      child.interrupt("SIGKILL");
      expect((await child.ended).code).toBeNull();
      killed++;
    }
    expect(killed).toBeGreaterThan(0);
    const last = await start("--resume", run).ended;
    expect(last).toMatchObject({ code: 0 });
    expect(timeless(await tableIn(run))).toEqual(expected);
    const rows = ["as-declared", "optimized", "one-word"].map((row) => join(run, "rows", row));
    expect((await Promise.all(rows.map(askedAgainIn))).flat()).toEqual([]);
    // Each kill may lose at most the replies that were in flight.
    expect(calls().received - before).toBeLessThanOrEqual(total + 4 * killed);
    expect(calls().received - before).toBeGreaterThanOrEqual(total);
  }
});
