import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { runMain } from "../../support/run-main.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { tableIn } from "./support.ts";
import { decisionsIn } from "../../support/journal.ts";

const few = resolve("test/cli/fixtures/few-turns-experiment.ts");

/** Kinds and places of all that the search of a row proposed to change. */
function proposedIn(run: string, row: string): readonly string[] {
  const events = decisionsIn(join(run, "rows", row))
    .split("\n")
    .map((line) => JSON.parse(line) as { readonly kind: string; readonly texts?: object });
  const proposals = events.filter(({ kind }) => kind === "candidate-proposed");
  return [...new Set(proposals.flatMap(({ texts = {} }) => Object.keys(texts)))].toSorted();
}

test("the table of the harmonic mean searches texts, weights, and both", async () => {
  await using place = await temporaryFolder();
  const run = join(place.path, "run");
  const words = ["experiment", few, "--rehearsal", "--run", run];
  const { code } = await runMain(words, { cwd: place.path });
  expect(code).toBe(0);
  const { rows } = await tableIn(run);
  expect(rows.flatMap(({ notRun }) => notRun ?? [])).toEqual([]);
  // All are compared with the program as it is, and on the same turns.
  for (const { figures } of rows.slice(1)) expect(figures[0]?.difference?.examples).toBe(12);

  const weights = ["parameter:partialWeight", "parameter:unanswerableWeight"];
  const judgingAndAnswering = "(?:classifyAnswerability|write\\w+Answer|askClarification)$";
  const texts = proposedIn(run, "texts-searched");
  expect(texts.length).toBeGreaterThan(0);
  for (const id of texts) expect(id).toMatch(new RegExp(`^instruction:${judgingAndAnswering}`));
  for (const id of proposedIn(run, "weights-fitted")) expect(weights).toContain(id);
  const both = proposedIn(run, "searched-jointly");
  expect(new Set(both.map((id) => id.split(":")[0]))).toContain("instruction");
  for (const id of both.filter((one) => !weights.includes(one))) {
    expect(id).toMatch(new RegExp(`^instruction:${judgingAndAnswering}`));
  }
});
