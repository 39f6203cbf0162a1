import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { compileArtifact } from "espalier/artifact";
import { afterAll, beforeAll, expect, it } from "vitest";
import serving from "../fixtures/batch-serving.ts";
import { contentHash } from "../../../src/internal/index.ts";
import { loadServing } from "../../../src/cli/load/load-serving.ts";
import { unaskedParts } from "../../../src/cli/lm/unasked-parts.ts";
import { runMain } from "../../support/run-main.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { thrownBy } from "../../support/thrown-by.ts";
import { chat, chatPath, vllmServer } from "../../support/vllm-server.ts";

const file = "test/cli/fixtures/batch-serving.ts";
const folder = await temporaryFolder();
afterAll(() => folder[Symbol.asyncDispose]());
const [artifact, questions] = ["artifact.json", "questions.jsonl"].map((name) =>
  join(folder.path, name),
) as [string, string];

/** An artifact whose program described its answer in one word less. */
beforeAll(async () => {
  const made = compileArtifact({
    program: serving.models[0]?.program as never,
    candidate: [{ kind: "instruction", path: "answer", value: "Answer like a sailor." }],
    lm: { provider: "openai-compatible", model: "m" },
    samples: {},
  });
  const text = JSON.stringify(made.compiled).replace(
    ':"The answer.","shape"',
    ':"The answer","shape"',
  );
  const compiled: unknown = JSON.parse(
    text.replaceAll(/"answer":"[0-9a-f]{64}"/g, `"answer":"${"0".repeat(64)}"`),
  );
  await writeFile(artifact, JSON.stringify({ ...made, compiled, hash: contentHash(compiled) }));
  await writeFile(questions, '{"id":"1","input":{"question":"Town 1?"}}\n');
});

it("is refused with the words that differ, and with how to use it all the same", async () => {
  const refused = await runMain(
    ["run", artifact, "--study", file, "--rehearsal"].concat("--input", '{"question":"?"}'),
  );
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain(
    '`description` of output "answer" of predictor "answer" has "answer." instead of "answer"',
  );
  expect(refused.stderr).toContain("add `--candidate ARTIFACT`");
  expect(refused.stderr.replace(/artifact [0-9a-f]{12} of/, "")).not.toMatch(/[0-9a-f]{12}/);
});

it("is used by batch as its --candidate, which sets the results apart", async () => {
  await using lm = await vllmServer();
  lm.always(chatPath, chat({ content: '{"answer":"Aye."}' }));
  const out = join(folder.path, "result.jsonl");
  const words = ["batch", file, "--model", "towns/answerer", "--input", questions, "--out", out];
  const common = [...words, "--lm", lm.baseUrl, "--cache", "none", "--patience", "0"];
  expect(await runMain([...common, "--candidate", artifact])).toMatchObject({ code: 0 });
  const asked = lm.requests.find(({ path }) => path === chatPath)?.body;
  expect(JSON.stringify(asked)).toContain("Answer like a sailor.");
  expect(JSON.parse(await readFile(`${out}.run.json`, "utf8"))).toMatchObject({
    version: expect.stringMatching(/^[0-9a-f]{12}$/) as string,
  });
  const other = await runMain(common);
  expect(other.stderr).toContain("The result file belongs to a different batch");
});

it("is used by serve as its --candidate, for the one model that it can be for", async () => {
  const parts = await unaskedParts();
  const { models } = await loadServing(file, { parts, candidate: artifact });
  expect(models[0]?.program.components()).toContainEqual({
    kind: "instruction",
    path: "answer",
    value: "Answer like a sailor.",
  });
  expect(models[0]?.version).toMatch(/^[0-9a-f]{12}$/);
  const unclear = await thrownBy(() =>
    loadServing(file, { parts, candidate: artifact, artifacts: "registry" }),
  );
  expect(unclear.message).toContain("Expected: --candidate or --artifacts");
});
