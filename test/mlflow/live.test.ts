import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { readRun } from "../../src/optimizer/files.ts";
import type { CliResult } from "../support/run-cli.ts";
import { runCli, startCli } from "../support/run-cli.ts";
import { serveCli } from "../support/serve-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import type { ReadBack, ReadRun } from "./support/mlflow-test.ts";
import { describeMlflow, readBack } from "./support/mlflow-test.ts";
import { recordingProxy } from "./support/recording-proxy.ts";
import { decisionsIn } from "../support/journal.ts";

const study = "test/cli/fixtures/few-places.ts";
const folder = await temporaryFolder();
const place = (name: string): string => join(folder.path, name);
/** Texts of the study's questions, passages and feedback. */
const contents = ["harbour permit", "is well known in the valley", "Missing gold passages"];

const executablePath = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";

/** However slow the server is on a busy machine. */
const patiently = ["--tracking-patience", "500"];

const search = (name: string, ...words: string[]): readonly string[] => {
  const started = ["optimize", study, "--budget", "40", "--run", place(name)];
  return [...started, "--mlflow-experiment", name, ...patiently, ...words];
};

async function succeeds(running: Promise<CliResult>): Promise<CliResult> {
  const result = await running;
  expect({ code: result.code, stderr: result.stderr }).toMatchObject({ code: 0 });
  return result;
}

/** All that must be the same, whichever way a run came to the server. */
function shown({ runs }: ReadBack): unknown {
  const names = new Map(runs.map(({ id, name }) => [id, name]));
  return runs
    .map(({ name, parent, status, type, params, metrics, best, traces, datasets }) => ({
      name,
      parent: parent === null ? null : names.get(parent),
      status,
      type,
      params,
      metrics,
      best,
      datasets,
      traces: traces
        .map(({ inputs, state, spans, assessments, tokens }) => ({
          inputs,
          state,
          tokens,
          assessments,
          spans: spans.map((span) => `${span.type} ${span.name}`).toSorted(),
        }))
        .toSorted((a, b) => (JSON.stringify(a.inputs) < JSON.stringify(b.inputs) ? -1 : 1)),
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

const send = (run: string, experiment: string, ...words: string[]): Promise<CliResult> =>
  runCli(["mlflow", run, "--url", inject("mlflow"), "--experiment", experiment, ...words]);

describeMlflow("a search that MLflow shows while it runs", () => {
  let whole: ReadBack;
  beforeAll(async () => {
    await succeeds(runCli(search("whole-run", "--mlflow", inject("mlflow"))));
    whole = await readBack("whole-run");
  });

  it("is there at its end, with the steps and times of each example", async () => {
    const { candidates } = readRun(place("whole-run"));
    expect(whole.runs).toHaveLength(candidates.length + 1);
    for (const { id, selection } of candidates) {
      const child = whole.runs.find(({ name }) => name === `candidate ${id}`) as ReadRun;
      expect(child).toMatchObject({ type: "genai_evaluate", status: "FINISHED" });
      expect(child.traces).toHaveLength(Object.keys(selection.scores).length);
      for (const { spans, startedAtMs } of child.traces) {
        expect(spans.map(({ name }) => name)).toContain("chat rehearsal");
        expect(Date.now() - startedAtMs).toBeLessThan(3_600_000);
      }
    }
  });

  it("is completed by nothing: the command finds all there", async () => {
    const { stdout } = await succeeds(send(place("whole-run"), "whole-run"));
    expect(stdout).toContain(" 0 traces sent");
    expect(shown(await readBack("whole-run"))).toEqual(shown(whole));
  });

  it("has no doubles after it was killed half way and resumed, as often as that happens", async () => {
    await using proxy = await recordingProxy(inject("mlflow"));
    const words = ["--mlflow", proxy.url];
    const killed = startCli(search("killed-run", ...words));
    await Promise.race([proxy.saw(1), killed.ended]);
    killed.interrupt("SIGKILL");
    await killed.ended;
    const resumed = ["optimize", study, "--resume", place("killed-run"), ...patiently];
    const again = startCli(resumed);
    await Promise.race([proxy.saw(30), again.ended]);
    again.interrupt("SIGKILL");
    await again.ended;
    await succeeds(runCli(resumed));
    await succeeds(send(place("killed-run"), "killed-run"));
    const read = await readBack("killed-run");
    expect(untraced(shown(read))).toEqual(untraced(shown(whole)));
  });

  it("ends as it would have where MLflow fails half way, and is sent afterwards", async () => {
    await using proxy = await recordingProxy(inject("mlflow"), { failsFrom: 12 });
    const { stderr } = await succeeds(runCli(search("down-run", "--mlflow", proxy.url)));
    const [, command = ""] = /has not received everything .*to send the rest: espalier (.*)/.exec(
      stderr,
    )!;
    expect(shown(await readBack("down-run"))).not.toEqual(shown(whole));
    expect(decisionsIn(place("down-run"))).toBe(decisionsIn(place("whole-run")));
    const words = command.split(" ").map((word) => (word === proxy.url ? inject("mlflow") : word));
    await succeeds(runCli(words));
    expect(shown(await readBack("down-run"))).toEqual(shown(whole));
  });

  it("sends neither secrets nor texts of the data, unless these are asked for", async () => {
    await using proxy = await recordingProxy(inject("mlflow"));
    const secret = "s3cret-token-of-a-test";
    const env = { MLFLOW_TRACKING_TOKEN: secret, ESPALIER_API_KEY: "key-of-a-model-server" };
    await succeeds(runCli(search("silent-run", "--mlflow", proxy.url), { env }));
    expect(proxy.sent.length).toBeGreaterThan(20);
    for (const text of contents) expect(proxy.sent.join("\n")).not.toContain(text);
    for (const request of proxy.sent) {
      const [line = "", , ...body] = request.split("\n");
      expect(line + body.join("\n")).not.toContain(secret);
      expect(request).not.toContain(env.ESPALIER_API_KEY);
    }
    for (const file of ["command.json", "tracking.json", "traces.jsonl", "journal.jsonl"]) {
      expect(await readFile(join(place("silent-run"), file), "utf8")).not.toContain(secret);
    }

    const asked = search("told-run", "--trace-contents", "--mlflow", proxy.url);
    await succeeds(runCli(asked, { env }));
    for (const text of contents.slice(0, 2)) expect(proxy.sent.join("\n")).toContain(text);
    const { runs } = await readBack("told-run");
    expect(runs.find(({ parent }) => parent === null)?.artifacts).toEqual([
      "artifact.json",
      "run.html",
    ]);
    // Equal for the same example, which is what pairs the examples of two candidates.
    const { candidates } = readRun(place("told-run"));
    const ids = candidates.flatMap(({ selection }) => Object.keys(selection.scores));
    const inputs = runs.flatMap(({ traces }) => traces.map((each) => JSON.stringify(each.inputs)));
    expect(inputs).toHaveLength(ids.length);
    expect(new Set(inputs).size).toBe(new Set(ids).size);
    expect(inputs[0]).toContain("question");
  });
});

describeMlflow("MLflow's own pages", () => {
  // In continuous integration it fails without a browser.
  const isLacking = !existsSync(executablePath) && process.env["CI"] !== "true";
  it.skipIf(isLacking)("pair the examples of two candidates, with what each answered", async () => {
    const { runs } = await readBack("told-run");
    const run = (name: string): ReadRun => runs.find((each) => each.name === name) as ReadRun;
    const [one, other] = [run("candidate 1"), run("candidate 0")];
    const asked = (traces: ReadRun["traces"]) =>
      new Map(traces.map(({ id, inputs }) => [JSON.stringify(inputs), id]));
    const [ofOne, ofOther] = [asked(one.traces), asked(other.traces)];
    const shared = [...ofOther.keys()].find((question) => ofOne.has(question)) ?? "";
    expect(shared).toContain("question");
    const found = await fetch(
      `${inject("mlflow")}/api/2.0/mlflow/experiments/get-by-name?experiment_name=told-run`,
    );
    const { experiment } = (await found.json()) as {
      readonly experiment: { readonly experiment_id: string };
    };
    const browser = await chromium.launch({
      executablePath,
      args: ["--no-sandbox", "--disable-gpu"],
    });
    try {
      const page = await browser.newPage({ viewport: { width: 1600, height: 1000 } });
      const place = `#/experiments/${experiment.experiment_id}/evaluation-runs`;
      const chosen = `?selectedRunUuid=${one.id}&compareToRunUuid=${other.id}`;
      await page.goto(`${inject("mlflow")}/${place}${chosen}`);
      const timeout = 300_000;
      await page.getByText("Comparing").first().waitFor({ timeout });
      for (const ids of [ofOne, ofOther]) {
        const shown = ids.get(shared)?.slice(0, 8) ?? "";
        await page.getByText(shown).first().waitFor({ timeout });
      }
    } finally {
      await browser.close();
    }
  });
});

/** A run whose process was killed may lack the steps of examples that were under way. */
function untraced(runs: unknown): unknown {
  return JSON.parse(
    JSON.stringify(runs, (name, value: unknown) =>
      name === "spans" || name === "tokens" ? undefined : value,
    ),
  );
}

describeMlflow("an evaluation that MLflow shows while it runs", () => {
  it("is the one that its result is sent as", async () => {
    const named = ["--mlflow-experiment", "live-eval", ...patiently];
    const words = ["--mlflow", inject("mlflow"), ...named];
    const out = place("result.json");
    await succeeds(runCli(["eval", study, "--rehearsal", "--out", out, ...words]));
    const read = await readBack("live-eval");
    expect(read.runs).toHaveLength(2);
    const [child] = read.runs.filter(({ parent }) => parent !== null) as [ReadRun];
    const { evaluation } = JSON.parse(await readFile(out, "utf8")) as {
      readonly evaluation: { readonly rows: readonly object[]; readonly value: number };
    };
    expect(child.traces).toHaveLength(evaluation.rows.length);
    expect(child.metrics["found-place/mean"]).toBe(evaluation.value);
    await succeeds(send(out, "live-eval"));
    expect(shown(await readBack("live-eval"))).toEqual(shown(read));
  });
});

describeMlflow("prompts and datasets of MLflow", () => {
  const url = (): string => inject("mlflow");
  const set = (path: string, body: object): Promise<Response> =>
    fetch(`${url()}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });

  it("seed a search, by the version that an alias had", async () => {
    await succeeds(runCli(search("prompts-run", "--mlflow", url())));
    const { prompts } = await readBack("prompts-run");
    const seeded = place("seeded-run");
    const words = ["--candidate", "mlflow:prompts:/finder@candidate", "--run", seeded];
    await succeeds(runCli(["optimize", study, "--budget", "20", "--mlflow", url(), ...words]));
    const [seed] = readRun(seeded).candidates;
    for (const { name, text } of prompts) {
      const component = seed?.components.find(
        ({ kind, path }) => kind === "instruction" && `finder.${path}` === name,
      );
      expect(component?.value).toBe(text);
    }
    const command = await readFile(join(seeded, "command.json"), "utf8");
    expect(command).toMatch(/mlflow:prompts:\/finder\.\w+\/\d+,prompts:\/finder\.\w+\/\d+"/);
    await succeeds(runCli(["optimize", study, "--resume", seeded]));
  });

  it("are refused by name where they were overwritten", async () => {
    const { prompts } = await readBack("prompts-run");
    const [{ name, version, text }] = prompts as [ReadBack["prompts"][number]];
    const tag = { name, version: String(version), key: "mlflow.prompt.text" };
    const path = "/api/2.0/mlflow/model-versions/set-tag";
    await set(path, { ...tag, value: "Say no more." });
    const words = ["--candidate", `mlflow:prompts:/${name}/${version}`, "--mlflow", url()];
    const refused = await runCli(["eval", study, "--rehearsal", ...words]);
    await set(path, { ...tag, value: text });
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain(
      `Version ${version} of the prompt \`${name}\` was overwritten`,
    );
  });

  it("are a trainset, refused by the name of a record that was overwritten", async () => {
    const env = { MLFLOW_TRACKING_URI: url() };
    await succeeds(runCli(["mlflow", study, "--contents"], { env }));
    const out = place("dataset.json");
    const words = ["eval", study, "--rehearsal", "--trainset", "mlflow:few-places"];
    await succeeds(runCli([...words, "--out", out], { env }));
    await succeeds(runCli(["eval", study, "--rehearsal", "--out", place("own.json")], { env }));
    const ids = async (path: string): Promise<readonly string[]> => {
      const { evaluation } = JSON.parse(await readFile(path, "utf8")) as {
        readonly evaluation: { readonly rows: readonly { readonly exampleId: string }[] };
      };
      return evaluation.rows.map(({ exampleId }) => exampleId);
    };
    expect(await ids(out)).toEqual(await ids(place("own.json")));

    const root = "/api/3.0/mlflow/datasets";
    const found = await set(`${root}/search`, { filter_string: "name = 'few-places'" });
    const [{ dataset_id: id }] = ((await found.json()) as { datasets: [{ dataset_id: string }] })
      .datasets;
    const page = await fetch(`${url()}${root}/${id}/records?max_results=1`);
    const { records } = (await page.json()) as { readonly records: string };
    const [{ inputs, tags }] = JSON.parse(records) as [
      { readonly inputs: object; readonly tags: Readonly<Record<string, string>> },
    ];
    const overwritten = JSON.stringify([{ inputs, expectations: { places: ["elsewhere"] } }]);
    await set(`${root}/${id}/records`, { records: overwritten });
    const refused = await runCli(words, { env });
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain(`Record \`${tags["espalier.id"]}\` of the dataset`);
  });

  it("follow the registry's aliases", async () => {
    const registry = place("registry");
    const artifact = join(place("prompts-run"), "artifact.json");
    const to = ["--registry", registry, "--mlflow", url()];
    await succeeds(runCli(["artifact", "add", artifact, "--registry", registry]));
    const { hash } = JSON.parse(await readFile(artifact, "utf8")) as { readonly hash: string };
    const name = hash.slice(0, 12);
    await succeeds(runCli(["artifact", "promote", "finder", name, ...to]));
    const alias = (): Promise<Response> =>
      fetch(
        `${url()}/api/2.0/mlflow/registered-models/alias?name=finder.broadQuery&alias=production`,
      );
    expect((await alias()).status).toBe(200);
    await succeeds(runCli(["artifact", "withdraw", "finder", "--of", "production", ...to]));
    expect((await alias()).status).not.toBe(200);
  });
});

describeMlflow("a server's answers in MLflow", () => {
  it("are traces, with the last rating of each, and no texts unless they are asked for", async () => {
    await using proxy = await recordingProxy(inject("mlflow"));
    const words = ["--mlflow", proxy.url, "--mlflow-experiment", "answers"];
    const feedback = ["--feedback", place("feedback.sqlite"), "--drain", "500"];
    const serving = "test/cli/fixtures/towns-serving.ts";
    const server = await serveCli([serving, "--rehearsal", ...feedback, ...words]);
    const ask = async (path: string, body: object): Promise<unknown> => {
      const reply = await fetch(`${server.url}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      expect(reply.status).toBe(200);
      return reply.json();
    };
    const models = (await (await fetch(`${server.url}/v1/models`)).json()) as {
      readonly data: readonly { readonly id: string }[];
    };
    const question = "Which river flows through the town of Aldermoor?";
    const answered = (await ask("/v1/chat/completions", {
      model: models.data[0]?.id,
      messages: [{ role: "user", content: question }],
    })) as { readonly id: string };
    for (const rating of ["up", "down"]) {
      await ask("/v1/feedback", { id: answered.id, rating, comment: "not quite what I asked" });
    }
    expect((await server.end()).code).toBe(0);
    expect(proxy.sent.join("\n")).not.toContain(question);
    expect(proxy.sent.join("\n")).not.toContain("not quite");
    const { traces } = await readBack("answers");
    expect(traces).toHaveLength(1);
    expect(traces[0]).toMatchObject({
      state: "OK",
      assessments: [{ name: "user_rating", value: false, source: "HUMAN" }],
    });
    expect(traces[0]?.spans.length).toBeGreaterThan(1);
  });
});

afterAll(() => folder[Symbol.asyncDispose]());
