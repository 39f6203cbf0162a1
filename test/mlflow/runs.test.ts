import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { readArtifact } from "espalier/artifact";
import { readRun } from "../../src/optimizer/files.ts";
import type { CliResult } from "../support/run-cli.ts";
import { runCli } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import type { ReadBack, ReadRun } from "./support/mlflow-test.ts";
import { describeMlflow, readBack } from "./support/mlflow-test.ts";
import { recordingProxy } from "./support/recording-proxy.ts";

const study = "test/cli/fixtures/few-places.ts";
const folder = await temporaryFolder();
const run = join(folder.path, "run");
const result = join(folder.path, "result.json");
/** Texts of the study's questions, passages and feedback. */
const contents = ["harbour permit", "is well known in the valley", "Missing gold passages"];

const send = (subject: string, experiment: string, ...words: string[]): Promise<CliResult> =>
  runCli(["mlflow", subject, "--url", inject("mlflow"), "--experiment", experiment, ...words]);

async function succeeds(running: Promise<CliResult>): Promise<string> {
  const { code, stdout, stderr } = await running;
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return stdout;
}

function byParent({ runs }: ReadBack): { readonly parent: ReadRun; readonly children: ReadRun[] } {
  const parents = runs.filter(({ parent }) => parent === null);
  expect(parents).toHaveLength(1);
  const [parent] = parents as [ReadRun];
  return { parent, children: runs.filter((each) => each.parent === parent.id) };
}

/** What must not change when a run is sent again. */
const withoutVersions = ({ runs }: ReadBack): unknown =>
  runs.toSorted((left, right) => (left.id < right.id ? -1 : 1));

describeMlflow("a run on a real MLflow server", () => {
  beforeAll(async () => {
    await succeeds(runCli(["optimize", study, "--budget", "40", "--run", run]));
    await succeeds(runCli(["eval", study, "--rehearsal", "--out", result]));
  });
  afterAll(() => folder[Symbol.asyncDispose]());

  it("has a child for each candidate, with a trace and its scores for each example", async () => {
    await succeeds(send(run, "search"));
    const { candidates, best } = readRun(run);
    const { parent, children } = byParent(await readBack("search"));
    expect(parent).toMatchObject({
      name: "auto-search of finder",
      status: "FINISHED",
      params: { objective: "found-place", trainset: "few-places", lm: "rehearsal", seed: "0" },
      tags: { "espalier.mocks": expect.stringContaining("lm (rehearsal)") },
      datasets: ["few-places"],
      artifacts: [],
    });
    expect(parent.metrics["best"]).toBe(
      Math.max(...candidates.map(({ selection }) => selection.value)),
    );
    const steps = parent.best.map(([step]) => step);
    expect(steps).toEqual(steps.toSorted((left, right) => left - right));
    expect(parent.best.at(-1)?.[1]).toBe(parent.metrics["best"]);
    expect(parent.metrics["spent/metricCalls"]).toBe(steps.at(-1));
    expect(children.map(({ name }) => name).toSorted()).toEqual(
      candidates.map(({ id }) => `candidate ${id}`),
    );
    for (const { id, selection } of candidates) {
      const child = children.find(({ name }) => name === `candidate ${id}`);
      expect(child).toMatchObject({ type: "genai_evaluate", status: "FINISHED" });
      expect(child?.metrics["found-place/mean"]).toBe(selection.value);
      const scores = child?.traces.map(({ inputs, assessments }) => [
        (inputs as { readonly example: string }).example,
        assessments.find(({ name }) => name === "found-place")?.value,
      ]);
      expect(Object.fromEntries(scores ?? [])).toEqual(selection.scores);
    }
    expect(best).not.toBeNull();
  });

  it("has the best candidate's instructions as prompts that MLflow loads", async () => {
    await succeeds(send(run, "prompts"));
    const { prompts } = await readBack("prompts");
    const { compiled } = await readArtifact(join(run, "artifact.json"));
    const instructions = compiled.components.filter(({ kind }) => kind === "instruction");
    expect(prompts.map(({ name, text }) => [name, text]).toSorted()).toEqual(
      instructions.map(({ path, value }) => [`finder.${path}`, value]).toSorted(),
    );
    const versions = prompts.map(({ version }) => version);
    await succeeds(send(run, "prompts"));
    const again = await readBack("prompts");
    expect(again.prompts.map(({ version }) => version)).toEqual(versions);
  });

  it("is the same after it was sent twice", async () => {
    await succeeds(send(run, "twice"));
    const once = await readBack("twice");
    expect(once.runs.flatMap(({ traces }) => traces).length).toBeGreaterThan(10);
    const printed = await succeeds(send(run, "twice"));
    expect(printed).toMatch(/^Completed: auto-search of finder, \d candidates, 0 traces sent\n/);
    expect(withoutVersions(await readBack("twice"))).toEqual(withoutVersions(once));
  });

  it("is completed, without doubles, after the server failed half way", async () => {
    await succeeds(send(run, "whole"));
    const copy = join(folder.path, "copy");
    await cp(run, copy, { recursive: true });
    await using proxy = await recordingProxy(inject("mlflow"), { failsFrom: 14 });
    const words = ["mlflow", copy, "--url", proxy.url, "--experiment", "halves"];
    const failed = await runCli(words);
    expect(failed.code).not.toBe(0);
    expect(failed.stderr).toContain("tracking-failed");
    const half = await readBack("halves");
    await succeeds(send(copy, "halves"));
    const counts = ({ runs }: ReadBack): unknown =>
      runs
        .map(({ name, traces }) => [
          name,
          traces.length,
          traces.flatMap(({ assessments }) => assessments).length,
        ])
        .toSorted();
    const whole = counts(await readBack("whole"));
    expect(counts(half)).not.toEqual(whole);
    expect(counts(await readBack("halves"))).toEqual(whole);
  });

  it("sends artifact and page where contents are asked for, and no texts of the data otherwise", async () => {
    await using proxy = await recordingProxy(inject("mlflow"));
    const secret = "s3cret-token-of-a-test";
    const env = { MLFLOW_TRACKING_TOKEN: secret, ESPALIER_API_KEY: "key-of-a-model-server" };
    const words = (subject: string) =>
      ["mlflow", subject, "--url", proxy.url, "--experiment", "texts"] as const;
    await succeeds(runCli(words(run), { env }));
    await succeeds(runCli(words(result), { env }));
    expect(proxy.sent.length).toBeGreaterThan(20);
    for (const text of contents) expect(proxy.sent.join("\n")).not.toContain(text);
    for (const request of proxy.sent) {
      const [line = "", headers = "", ...body] = request.split("\n");
      expect(headers).toContain(`"authorization":"Bearer ${secret}"`);
      expect(line + body.join("\n")).not.toContain(secret);
      expect(request).not.toContain(env.ESPALIER_API_KEY);
    }

    await succeeds(send(run, "contents", "--contents"));
    const { parent } = byParent(await readBack("contents"));
    expect(parent.artifacts).toEqual(["artifact.json", "run.html"]);
    const { code, stderr } = await send(join(folder.path, "nothing"), "contents");
    expect({ code, stderr }).toMatchObject({ stderr: expect.stringContaining("file-missing") });
  });

  it("shows an evaluation's steps with their times, tokens and feedback", async () => {
    await succeeds(send(result, "evaluation", "--contents"));
    const { evaluation } = JSON.parse(await readFile(result, "utf8")) as {
      readonly evaluation: {
        readonly rows: readonly {
          readonly latencyMs: number;
          readonly score: { readonly feedback: string };
          readonly trace: { readonly input: object; readonly startedAtMs: number };
        }[];
      };
    };
    const [child] = byParent(await readBack("evaluation")).children as [ReadRun];
    expect(child.traces).toHaveLength(evaluation.rows.length);
    for (const { latencyMs, score, trace } of evaluation.rows) {
      const shown = child.traces.find(
        ({ inputs }) => JSON.stringify(inputs) === JSON.stringify(trace.input),
      )!;
      expect(shown.state).toBe("OK");
      expect(shown.startedAtMs).toBe(trace.startedAtMs);
      const root = shown.spans.find(({ isRoot }) => isRoot)!;
      expect((root.endNs - root.startNs) / 1e6).toBeCloseTo(latencyMs, 1);
      expect(shown.spans.map(({ name }) => name).toSorted()).toEqual([
        "broadQuery",
        "chat rehearsal",
        "chat rehearsal",
        "eval of few-places",
        "narrowQuery",
        "place-search",
        "place-search",
      ]);
      for (const { startNs, endNs } of shown.spans) {
        expect(startNs).toBeGreaterThanOrEqual(root.startNs);
        expect(endNs).toBeLessThanOrEqual(root.endNs + 1e6);
      }
      expect(shown.tokens?.["total_tokens"]).toBeGreaterThan(0);
      expect(shown.assessments.map(({ rationale }) => rationale)).toContain(score.feedback);
    }
  });

  it("refuses a prompt by name whose text was overwritten on the server", async () => {
    await succeeds(send(run, "overwritten"));
    const { prompts } = await readBack("overwritten");
    const [{ name, version, text }] = prompts as [ReadBack["prompts"][number]];
    const write = (value: string): Promise<Response> =>
      fetch(`${inject("mlflow")}/api/2.0/mlflow/model-versions/set-tag`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ name, version: String(version), key: "mlflow.prompt.text", value }),
      });
    expect((await write("Say no more.")).status).toBe(200);
    const { code, stderr } = await send(run, "overwritten");
    expect(code).not.toBe(0);
    expect(stderr).toContain("tracking-conflict");
    expect(stderr).toContain(`Version ${version} of the prompt \`${name}\` was overwritten`);
    await write(text);
    await succeeds(send(run, "overwritten"));
  });
});
