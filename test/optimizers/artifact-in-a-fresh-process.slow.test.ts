import { spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import type { LanguageModel, TunableProgram } from "espalier";
import { connect } from "espalier/lm";
import { autoSearch, optimize } from "espalier/optimizer";
import type { RehearsalServer } from "@espalier/rehearsal";
import { serveRehearsal } from "@espalier/rehearsal";
import { runCli } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { smallNotesGuided } from "./support/small-notes-guided.ts";

const study = "test/cli/fixtures/small-notes-guided.ts";
const asked = smallNotesGuided.trainset.splits.test.slice(0, 10);

test("an artifact in a fresh process predicts and asks exactly what the optimizer's program does", async () => {
  await using server = await serveRehearsal();
  await using folder = await temporaryFolder();
  const run = join(folder.path, "run");
  const remote = ["--lm", `${server.url}/v1`, "--cache", "none"];
  const { code, stderr } = await runCli(["optimize", study, ...remote, "--run", run]);
  expect({ code, stderr }).toMatchObject({ code: 0 });

  // The optimizer's own result, from its journal: nothing of it is asked for again.
  const before = server.calls().total;
  const { program } = await optimize(smallNotesGuided, {
    optimizer: smallNotesGuided.optimizer ?? autoSearch(),
    lm: unreachable,
    runFolder: run,
    resume: true,
  });
  expect(server.calls().total).toBe(before);

  const seed = await askedBy(({ url }) => predictionsOf(smallNotesGuided.program, url));
  const optimized = await askedBy(({ url }) => predictionsOf(program, url));
  const served = await askedBy(({ url }) => servedBy(join(run, "artifact.json"), url));
  expect(served.outputs).toHaveLength(asked.length);
  expect(served.outputs).toEqual(optimized.outputs);
  // By the SHA-256 of each body as the server received it: prompts, schema, seed and sampling.
  expect(optimized.bodies.length).toBeGreaterThanOrEqual(5 * asked.length);
  expect(served.bodies).toEqual(optimized.bodies);
  expect(seed.bodies).not.toEqual(optimized.bodies);
});

const unreachable: LanguageModel = {
  identity: { provider: "vllm", model: "rehearsal" },
  doGenerate: () => Promise.reject(new Error("A reply in the journal was asked for again.")),
};

/** What a server of its own was sent for the predictions, in order. */
async function askedBy(predictions: (server: RehearsalServer) => Promise<unknown>) {
  await using server = await serveRehearsal();
  const outputs = await predictions(server);
  const bodies = server
    .calls()
    .log.filter(({ endpoint }) => endpoint === "POST /v1/chat/completions")
    .map(({ requestHash }) => requestHash);
  return { outputs, bodies };
}

async function predictionsOf(program: TunableProgram, url: string): Promise<unknown> {
  await using lm = connect({ baseUrl: `${url}/v1`, model: "rehearsal" });
  const outputs: unknown[] = [];
  for (const { id, input } of asked) {
    outputs.push(await program.run(input, { lm, seed: 0, exampleId: id }));
  }
  return JSON.parse(JSON.stringify(outputs)) as unknown;
}

async function servedBy(artifact: string, url: string): Promise<unknown> {
  const script = resolve(import.meta.dirname, "support/serve-artifact.ts");
  const child = spawn(
    process.execPath,
    ["--conditions=espalier:source", script, artifact, study, `${url}/v1`],
    { stdio: ["pipe", "pipe", "inherit"] },
  );
  child.stdin.end(JSON.stringify(asked.map(({ id, input }) => ({ id, input }))));
  const [printed] = await Promise.all([text(child.stdout), once(child, "close")]);
  return JSON.parse(printed) as unknown;
}
