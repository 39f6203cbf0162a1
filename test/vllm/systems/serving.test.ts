import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import OpenAI from "openai";
import { expect } from "vitest";
import { test } from "../support/vllm-test.ts";
import { workplace } from "./support/workplace.ts";

const serving = resolve("optimizers/serving.ts");
const models = [
  "notes-guided",
  "r2rag",
  "r2rag/vanilla-rag",
  "r2rag/vanilla-agent",
  "hanrag",
  "ails-ntua",
];
const question = "What does registering a birth in Halmere cost?";

test("every shipped model answers from real servers alone, whole and streamed", async ({
  systems,
  embedder,
  reranker,
}) => {
  await using place = await workplace({ lm: systems, embedder, reranker });
  const server = await place.serve(serving);
  try {
    expect(server.stdout).toContain(`${systems.model} at ${systems.baseUrl}`);
    const listed = await (await fetch(`${server.url}/v1/models`)).text();
    for (const said of [server.stdout, listed]) expect(said).not.toMatch(/stand.?in|rehears/i);
    const { data } = JSON.parse(listed) as { readonly data: readonly { readonly id: string }[] };
    expect(data.map(({ id }) => id)).toEqual(models);

    const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: "none", maxRetries: 0 });
    for (const model of models) {
      const asked = { model, messages: [{ role: "user" as const, content: question }] };
      const whole = await client.chat.completions.create(asked);
      expect(whole.choices[0]?.message.content).toMatch(/\S/);
      expect(whole.usage?.completion_tokens).toBeGreaterThan(0);

      let answer = "";
      let end: string | null | undefined;
      for await (const chunk of await client.chat.completions.create({ ...asked, stream: true })) {
        const [choice] = chunk.choices;
        answer += choice?.delta.content ?? "";
        end = choice?.finish_reason ?? end;
      }
      expect(answer).toMatch(/\S/);
      expect(end).toBe("stop");
    }
  } finally {
    const { code, stderr } = await server.end();
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining("rehears") });
  }
});

test("a batch on real servers answers each row, and what it keeps names no mock", async ({
  systems,
  embedder,
  reranker,
}) => {
  await using place = await workplace({ lm: systems, embedder, reranker });
  const rows = ["How deep is the harbour?", question, "Who keeps the lighthouse?"].map(
    (question, row) => ({ id: `q${row}`, input: { question, history: [] } }),
  );
  await writeFile(
    join(place.path, "rows.jsonl"),
    rows.map((row) => `${JSON.stringify(row)}\n`).join(""),
  );
  const files = ["--input=rows.jsonl", "--out=answers.jsonl"];
  const result = await place.cli("batch", serving, "--model=notes-guided", ...files);
  expect(result).toMatchObject({ code: 0 });
  const answers = await readFile(join(place.path, "answers.jsonl"), "utf8");
  expect(answers.trimEnd().split("\n")).toHaveLength(3);
  const record = await readFile(join(place.path, "answers.jsonl.run.json"), "utf8");
  expect(JSON.parse(record)).toMatchObject({ isRehearsal: false, mocks: [] });
  expect(`${result.stdout}${result.stderr}`).not.toMatch(/stand-?in|rehears/i);
});
