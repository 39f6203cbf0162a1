/** Takes pictures of a run in MLflow's UI for the docs. */
import { join } from "node:path";
import { chromium } from "playwright-core";
import { scriptOptions } from "../support/script-options.ts";

const {
  positionals: [url = "http://127.0.0.1:5000", experiment = "espalier", folder = "docs"],
} = scriptOptions({
  command: "npm run docs:pictures-mlflow",
  about:
    "Takes pictures of an MLflow experiment at URL: its evaluation runs, and two candidates side by side. Saves them in FOLDER (default docs).",
  positionals: "URL EXPERIMENT [FOLDER]",
});

const { id, best, seed } = await candidates();
const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
await page.goto(`${url}/#/experiments/${id}/evaluation-runs`);
await page.getByText("candidate 0").first().waitFor({ timeout: 120_000 });
const assistant = page.getByRole("button", { name: "Close" }).first();
if ((await assistant.count()) > 0) await assistant.click();
await page.screenshot({ path: join(folder, "mlflow-runs.png") });
const compared = `evaluation-runs?selectedRunUuid=${best}&compareToRunUuid=${seed}`;
await page.goto("about:blank");
await page.goto(`${url}/#/experiments/${id}/${compared}`);
await page.getByText("found-place").first().waitFor({ timeout: 120_000 });
await page.screenshot({ path: join(folder, "mlflow-pairs.png") });
await browser.close();

/** The search's best candidate and its seed. */
async function candidates(): Promise<Readonly<Record<"id" | "best" | "seed", string>>> {
  const api = `${url}/api/2.0/mlflow`;
  const found = await fetch(`${api}/experiments/get-by-name?experiment_name=${experiment}`);
  const { experiment: held } = (await found.json()) as {
    readonly experiment: { readonly experiment_id: string };
  };
  const reply = await fetch(`${api}/runs/search`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ experiment_ids: [held.experiment_id] }),
  });
  const { runs } = (await reply.json()) as {
    readonly runs: readonly {
      readonly info: { readonly run_id: string; readonly run_name: string };
      readonly data: { readonly tags: readonly { readonly key: string; readonly value: string }[] };
    }[];
  };
  const best = runs
    .flatMap(({ data }) => data.tags)
    .find(({ key }) => key === "espalier.best")?.value;
  const named = (name: string): string =>
    runs.find(({ info }) => info.run_name === name)?.info.run_id ?? "";
  return {
    id: held.experiment_id,
    best: named(`candidate ${best}`),
    seed: named("candidate 0"),
  };
}
