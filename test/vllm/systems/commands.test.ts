import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect } from "vitest";
import { test } from "../support/vllm-test.ts";
import { readOutput } from "./support/read-output.ts";
import type { Workplace } from "./support/workplace.ts";
import { workplace } from "./support/workplace.ts";

const study = resolve("optimizers/hanrag.ts");
const serving = resolve("optimizers/serving.ts");
const question = "What does registering a birth in Halmere cost?";

/** Runs a command that must succeed; returns its standard output. */
async function done(place: Workplace, ...words: readonly string[]): Promise<string> {
  const result = await place.cli(...words);
  expect({ words, ...result }).toMatchObject({ code: 0 });
  expect(`${result.stdout}${result.stderr}`).not.toMatch(/mocks play|rehearsal:/);
  return result.stdout;
}

test("servers finds every part of the file at work, as doctor finds its LM", async ({
  systems,
  embedder,
  reranker,
}) => {
  await using place = await workplace({ lm: systems, embedder, reranker });
  const file = JSON.parse(await done(place, "servers", "--json"));
  expect(file).toMatchObject({
    parts: [
      { part: "embedder", model: embedder.model, isWorking: true },
      { part: "reranker", model: reranker.model, isWorking: true },
    ],
    lms: [{ lm: "tiny", examination: { dialect: "vllm", maxModelLength: 16_384 } }],
  });
  const { baseUrl, model } = systems;
  const doctor = ["doctor", `--lm=${baseUrl}`, `--model=${model}`, "--json"];
  const examined = JSON.parse(await done(place, ...doctor));
  expect(examined).toEqual(file.lms[0].examination);
});

test("a program goes from a study to a registry, to users and to their ratings", async ({
  systems,
  embedder,
  reranker,
}) => {
  await using place = await workplace({ lm: systems, embedder, reranker });
  const candidate = [{ kind: "instruction", path: "routeQuestion", value: "Say of what kind." }];
  await writeFile(join(place.path, "candidate.json"), JSON.stringify(candidate));
  const files = ["--candidate=candidate.json", "--artifact=compiled.json", "--out=result.json"];
  await done(place, "eval", study, "--limit=2", ...files);

  for (const subject of ["compiled.json", "result.json", study]) await done(place, "show", subject);
  const input = `--input=${JSON.stringify({ question })}`;
  const prompt = ["--predictor=routeQuestion", input, "--trust-module"];
  expect(await done(place, "show", "compiled.json", ...prompt)).toContain("Say of what kind.");
  const ran = await place.cli("run", "compiled.json", input, "--trust-module", "--json");
  expect(readOutput(ran).json).toMatchObject({
    output: { answer: expect.any(String) },
    lm: { provider: "vllm" },
    mocks: [],
  });

  const add = ["artifact", "add", "compiled.json", "--to=candidate", "--registry=versions"];
  const { version } = JSON.parse(await done(place, ...add, "--json"));
  await done(place, "artifact", "verify", "hanrag", `--study=${study}`, "--registry=versions");

  const trial = ["--artifacts=versions", "--canary=50%", "--feedback=ratings.sqlite"];
  const server = await place.serve(serving, ...trial);
  const versions = new Set<string>();
  let user = 0;
  try {
    // Chance decides who gets the candidate's answers.
    for (; versions.size < 2 && user < 64; user += 1) {
      const { id, metadata } = await posted(`${server.url}/v1/chat/completions`, {
        model: "hanrag",
        user: `user-${user}`,
        messages: [{ role: "user", content: question }],
      });
      versions.add(metadata.version);
      await posted(`${server.url}/v1/feedback`, { id, rating: "up", user: `user-${user}` });
    }
  } finally {
    expect(await server.end()).toMatchObject({ code: 0 });
  }
  expect([...versions].toSorted()).toEqual([version, "declared"].toSorted());
  expect(await done(place, "rollout", "show", "--state=.espalier/serve/four-shelves")).toContain(
    `hanrag@${version} against declared, canary 50 %`,
  );
  expect(await done(place, "feedback", "summary", "ratings.sqlite")).toContain(`hanrag@${version}`);
  const rows = ["feedback", "to-trainset", "ratings.sqlite", "--out=rows.jsonl", "--json"];
  expect(JSON.parse(await done(place, ...rows))).toMatchObject({ rows: user });
});

async function posted(url: string, body: object): Promise<any> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  const text = await response.text();
  expect({ status: response.status, text }).toMatchObject({ status: 200 });
  return JSON.parse(text);
}
