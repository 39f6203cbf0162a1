import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openRegistry, readArtifact } from "espalier/artifact";
import { openServeState } from "espalier/serve";
import { feedbackByHand } from "../support/feedback-by-hand.ts";
import { runMain } from "../support/run-main.ts";

/** What somebody who wrote a text might have meant to happen. */
export const markup = `"'><img src=x onerror="document.title='X'"><script>document.title='X'<`;
export const hidden = "\u202egnp.exe";
const hostile = `${markup}${hidden}`;

/** The run that lies in the folder. */
export const runId = ".espalier/runs/first";

/**
 * Fills a folder with one of each kind of thing that a studio finds, with hostile names and texts,
 * and with some that it must not find.
 *
 * @returns the version that is in production
 */
export async function fillStudioFolder(folder: string): Promise<string> {
  const run = join(folder, runId);
  const study = "test/cli/fixtures/places.ts";
  const made = await Promise.all([
    runMain(["optimize", study, "--optimizer", "gepa", "--budget", "120", "--run", run]),
    runMain(["eval", study, "--out", join(folder, "result.json")]),
  ]);
  for (const { code, stderr } of made) if (code !== 0) throw new Error(stderr);

  const registry = openRegistry(join(folder, "shelf"));
  const artifact = await readArtifact(join(run, "artifact.json"));
  const { version } = await registry.add(artifact);
  await registry.promote("finder", version, "production", { by: hostile, why: hostile });
  cpSync(join(run, "artifact.json"), join(folder, `${hostile}.json`));
  // What holds this is no run that can be read; its name is somebody's text too.
  const broken = join(folder, hostile);
  mkdirSync(broken);
  writeFileSync(join(broken, "journal.jsonl"), `${JSON.stringify({ kind: hostile })}\n`);
  // What is not looked into.
  for (const skipped of ["node_modules/one", ".git/one", ".hidden/one"]) {
    cpSync(run, join(folder, skipped), { recursive: true });
  }
  using state = openServeState(join(folder, "state.sqlite"));
  const settings = { canary: 0.25, shadow: 0, alpha: 0.05, tolerance: 0, keyShare: 1 };
  const pair = { model: "towns", baseline: "declared", candidate: version, since: "2026-11-25" };
  const { id } = state.begin(pair, settings);
  const key = { apiKey: Buffer.from("a"), key: Buffer.from("k") };
  state.observe(id, key, { weight: 1, baseline: null, candidate: 0.75 });
  const unseen = { ...settings, canary: 0, shadow: 0.5 };
  const shadow = state.begin({ ...pair, model: "rivers" }, unseen);
  state.observe(shadow.id, key, { weight: 1, baseline: 0.25, candidate: 0.5 });
  using feedback = feedbackByHand(join(folder, "feedback.sqlite"));
  const at = new Date();
  for (const [answer, rating] of [
    ["one", "up"],
    ["two", "down"],
  ] as const) {
    feedback.keep({
      id: answer,
      at,
      user: null,
      apiKey: null,
      conversation: null,
      model: "towns",
      version,
      question: "Where?",
      history: [],
      answer,
      trace: {} as never,
    });
    feedback.rate(answer, { rating, comment: null, correction: null });
  }
  return version;
}
