import { resolve } from "node:path";
import type { Mock } from "../../src/mock/index.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runMain } from "../support/run-main.ts";
import { modelServer } from "../support/model-server.ts";
import { searchServer } from "../support/search-server.ts";
import { serveCli } from "../support/serve-cli.ts";
import { serversFolder } from "../support/servers-folder.ts";
import type { VllmServer } from "../support/vllm-server.ts";
import { studyFiles } from "./support/study-files.ts";

const serving = resolve("optimizers/serving.ts");
const servers = new AsyncDisposableStack();
let cwd = "";
let lm: VllmServer;
let text: VllmServer;

beforeAll(async () => {
  lm = servers.use(await modelServer("big-lm"));
  text = servers.use(await modelServer("text-model"));
  const search = servers.use(await searchServer(() => []));
  const at = { url: text.baseUrl, model: "text-model" };
  const folder = servers.use(
    await serversFolder({
      lms: { big: { url: lm.baseUrl, model: "big-lm" } },
      embedder: at,
      pairScorer: { ...at, template: "qwen3-reranker" },
      search: { url: search.url },
    }),
  );
  cwd = folder.path;
});
afterAll(() => servers.disposeAsync());

/** Besides the LM, the parts that mocks play with --rehearsal. */
const mocksOf: Readonly<Record<string, readonly Mock["part"][]>> = {
  "ails-ntua-alternatives": [],
  "ails-ntua-harmonic-mean": ["reranker", "judgeLm"],
  "ails-ntua-recall": ["reranker"],
  "ails-ntua-recall-parameters": ["reranker"],
  "ails-ntua-task-a": ["reranker"],
  "ails-ntua-task-b": ["judgeLm"],
  "ails-ntua-task-c": ["reranker", "judgeLm"],
  hanrag: [],
  "hanrag-adaptive": [],
  "hanrag-ircot": [],
  "mtrag-baselines": ["reranker"],
  "question-types": [],
  "react-research": [],
  "text-to-sql": [],
  "notes-guided": ["embedder", "reranker"],
  "notes-guided-abstention": ["embedder", "reranker", "judgeLm"],
  "notes-guided-harmonic-mean": ["embedder", "reranker", "judgeLm"],
  "notes-guided-joint": ["embedder", "reranker", "judgeLm"],
  "notes-guided-routing": ["embedder", "reranker", "judgeLm"],
  "notes-guided-task-c": ["embedder", "reranker", "judgeLm"],
  "r2rag-deployed": ["pairScorer", "reranker", "tokenizer"],
  "r2rag-review": ["pairScorer", "reranker", "tokenizer"],
  r2rag: ["pairScorer", "reranker", "tokenizer"],
};

describe.each(studyFiles)("the study %s over one servers file", (name, path) => {
  const evaluate = ["eval", path, "--limit", "2", "--patience", "0", "--json"];

  test("asks its LM and the other models at their servers, and names no mock", async () => {
    const { code, lines, stderr } = await runMain(evaluate, { cwd });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({
      lm: { model: "big-lm" },
      rehearsal: false,
      mocks: [],
      counts: { scored: expect.toSatisfy((count: number) => count > 0) },
    });
    expect(lines.join("\n")).not.toMatch(/mocks play|with mocks/);
  });

  test("names every mock with --rehearsal, and asks no server", async () => {
    const before = lm.requests.length + text.requests.length;
    const { code, lines, stderr } = await runMain([...evaluate, "--rehearsal"], { cwd });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const { rehearsal, mocks } = JSON.parse(lines.at(-1) ?? "");
    expect(rehearsal).toBe(true);
    const parts = mocks.map(({ part }: Mock) => part);
    expect(parts.toSorted()).toEqual(["lm", ...(mocksOf[name] ?? ["unknown"])].toSorted());
    expect(lm.requests.length + text.requests.length).toBe(before);
  });
});

describe("the shipped serving over one servers file", () => {
  const mocksAt = async (...options: readonly string[]): Promise<readonly Mock[]> => {
    const server = await serveCli([serving, "--state", "none", ...options], { cwd });
    const { data } = (await (await fetch(`${server.url}/v1/models`)).json()) as {
      readonly data: readonly { readonly mocks?: readonly Mock[] }[];
    };
    expect((await server.end()).code).toBe(0);
    expect(data).toHaveLength(6);
    return data[0]?.mocks ?? [];
  };

  test("names no mock, and with --rehearsal each", async () => {
    expect(await mocksAt()).toEqual([]);
    const parts = (await mocksAt("--rehearsal")).map(({ part }) => part);
    expect(new Set(parts)).toEqual(
      new Set(["lm", "embedder", "reranker", "pairScorer", "tokenizer"]),
    );
  });
});
