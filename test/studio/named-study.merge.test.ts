import { join } from "node:path";
import { serveRehearsal } from "@espalier/rehearsal";
import { afterAll, beforeAll, expect, it } from "vitest";
import { chromiumPages, patience } from "../serve/routes/page/chromium.ts";
import { runMain } from "../support/run-main.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { studioOver } from "./studio-over.ts";
import { decisionsIn } from "../support/journal.ts";

const study = "test/cli/fixtures/halved-places.ts";
const pages = chromiumPages();
const resources = new AsyncDisposableStack();
afterAll(() => resources.disposeAsync());
const { path: folder } = resources.use(await temporaryFolder());
const lm = resources.use(await serveRehearsal());
const run = join(folder, "run");

beforeAll(async () => {
  const words = "--optimizer gepa --budget 60 --run".split(" ");
  const { code, stderr } = await runMain([
    "optimize",
    study,
    ...words,
    run,
    "--lm",
    `${lm.url}/v1`,
  ]);
  if (code !== 0) throw new Error(stderr);
});

/** Changes on val from seed to best, by example, counted from the lines of the journal alone. */
function recount(): ReadonlyMap<string, number> {
  const events = decisionsIn(run)
    .split("\n")
    .map((line) => JSON.parse(line));
  const scores: Record<string, number>[] = [];
  for (const event of events) {
    if (event.kind === "candidate-accepted")
      scores[event.candidate] = event.record.selection.scores;
    if (event.kind === "candidate-confirmed") scores[event.candidate] = event.selection.scores;
  }
  const { best } = events.find(({ kind }) => kind === "run-end");
  const [before = {}, after = {}] = [scores[0], scores[best]];
  return new Map(Object.entries(after).map(([id, score]) => [id, score - (before[id] ?? 0)]));
}

/** The study's label: place 14 is the first of val. */
const isEven = (id: string): boolean => Number(id.replace("place-", "")) % 2 === 0;

it("shows strata, inputs and labels of a study that is named, and both runs without a call", async () => {
  const asked = lm.calls().total;
  const changes = [...recount()].filter(([, change]) => change !== 0);
  const [better, worse] = [1, -1].map(
    (sign) => changes.filter(([id, change]) => isEven(id) && sign * change > 0).length,
  );
  await using studio = await studioOver(folder, { studies: [study] });
  await using visit = await pages.visit(studio);
  const { page } = visit;
  await page.goto(`${studio.url}/report?source=run#flips`);
  await page.getByLabel("Label").selectOption("half");
  await page.getByLabel("half", { exact: true }).selectOption("even");
  await expect
    .poll(() => page.getByText(/better, \d+ worse on val/).textContent(), patience)
    .toBe(`${better} better, ${worse} worse on val, of ${changes.length} in all.`);

  const [id] = changes.find(([name]) => isEven(name)) ?? [""];
  await page.getByRole("link", { name: id, exact: true }).click();
  await page.getByRole("heading", { name: "Labels" }).waitFor();
  for (const side of ["Before", "After"]) {
    const runs = page.getByRole("region", { name: side });
    await runs.getByRole("heading", { name: "Trace" }).waitFor();
    for (const told of ["Feedback", "Output"]) {
      expect(await runs.getByRole("heading", { name: told }).count()).toBe(1);
    }
    expect(await runs.innerText()).toContain("Missing gold passages:");
  }
  await page.getByRole("region", { name: "After" }).getByRole("link", { name: "Prompts" }).click();
  await page.locator(".message").nth(1).waitFor();
  // Any other example can be asked for from here.
  const other = changes.map(([name]) => name).find((name) => name !== id) ?? "";
  await page.getByLabel("Example").selectOption(other);
  await expect.poll(() => page.url(), patience).toContain(other);
  await page.locator(".message").nth(1).waitFor();
  expect(lm.calls().total - asked).toBe(0);
});

it.each<[what: string, studies: readonly string[], note: string, why: string]>([
  ["no study", [], "The study was not given (--study)", "start the studio with --study STUDY"],
  [
    "one of other data",
    ["test/cli/fixtures/places.ts"],
    "None of the named studies has the data of these sources.",
    "start the studio with --study STUDY",
  ],
])("says what is missing where %s is named", async (_what, studies, note, why) => {
  await using studio = await studioOver(folder, { studies });
  const answer = await fetch(`${studio.url}/api/comparison?source=run`);
  const { comparison, sources } = JSON.parse(await answer.text());
  expect(comparison.notes.join("\n")).toContain(note);
  expect(comparison.strata).toEqual([]);
  expect(sources.run).toMatchObject({ id: "run", state: "ended", hasRollouts: false });
  const refused = await fetch(`${studio.url}/api/rollout`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: studio.url },
    body: JSON.stringify({ source: "run", candidate: 0, split: "val", example: "place-14" }),
  });
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain(why);
});

it("ends with the fault of a study that cannot be loaded", async () => {
  const studies = ["test/cli/fixtures/no-study.ts"];
  await expect(studioOver(folder, { studies })).rejects.toMatchObject({ code: "study-invalid" });
});
