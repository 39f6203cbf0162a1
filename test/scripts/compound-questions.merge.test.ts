import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { corpus } from "espalier/retrieval";
import type { BuildOptions } from "../../scripts/compound-questions/build-compound-questions.ts";
import { buildCompoundQuestions } from "../../scripts/compound-questions/build-compound-questions.ts";
import { questionSet } from "../../trainsets/multi-hop/index.ts";
import type { ReceivedRequest, ScriptedReply } from "../support/scripted-lm.ts";
import { scriptedLm } from "../support/scripted-lm.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const towns = ["Varnholm", "Ostrel (town)", "Kessing", "Lone"];

/** Two documents to each town and one that only names it; the last town has one in all. */
const towned = corpus(
  towns.flatMap((title, index) => {
    const name = title.replace(" (town)", "");
    const documents = [
      { id: `${index}-a`, title, text: `${name} was founded in ${1600 + index}.` },
      { id: `${index}-b`, title, text: `${name} has a bridge of iron${index}.` },
      { id: `${index}-c`, title: "", text: `The painter Ada${index} lived in ${name}.` },
    ];
    return name === "Lone" ? documents.slice(0, 1) : documents;
  }),
);

/** Asks for the last word of the document, and puts questions together with "and". */
function answerTo(request: ReceivedRequest): string {
  const fields = request.messages.find(({ role }) => role === "user")?.content ?? "";
  if (request.response_format?.json_schema.name === "combine-questions") {
    const questions = [...fields.matchAll(/What of \w+ ends with \w+\?/g)].map(([found]) => found);
    return JSON.stringify({ compoundQuestion: questions.join(" And: ") });
  }
  const entity = /Entity: (.*)/.exec(fields)?.[1] ?? "";
  const answer = /(\w+)\.\s*(?:<\/text>\s*)?$/.exec(fields)?.[1] ?? "";
  return JSON.stringify({ question: `What of ${entity} ends with ${answer}?`, answer });
}

async function built(
  folder: string,
  {
    reply = answerTo,
    ...options
  }: Partial<BuildOptions> & {
    readonly reply?: (request: ReceivedRequest, index: number) => ScriptedReply;
  } = {},
) {
  await using server = await scriptedLm(reply);
  const building = buildCompoundQuestions({
    corpus: towned,
    lm: server.lm,
    folder,
    entities: 10,
    devShare: 0,
    ...options,
  });
  const [settled] = await Promise.allSettled([building]);
  return { settled, requests: server.received.length };
}

async function rowsIn(folder: string, name = "compound_train.jsonl") {
  // A split without rows has no file.
  const text = existsSync(join(folder, name)) ? await readFile(join(folder, name), "utf8") : "";
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe("the compound benchmark", () => {
  it("asks about each document of an entity and combines two to four, as the loader reads them", async () => {
    await using folder = await temporaryFolder();
    const { settled } = await built(folder.path);
    expect(settled).toMatchObject({
      value: { train: 3, dev: 0, test: 0, entities: 4, unusable: 0, refused: 0 },
    });
    const rows = await rowsIn(folder.path);
    const ostrel = rows.find(({ entity }) => entity === "Ostrel (town)");
    expect(ostrel).toMatchInlineSnapshot(`
      {
        "answers": [
          "Ostrel && 1601",
        ],
        "dataset": "compound",
        "decomposition": [
          {
            "answer": "Ostrel",
            "question": "What of Ostrel ends with Ostrel?",
            "resolved": "What of Ostrel ends with Ostrel?",
            "support_title": "",
          },
          {
            "answer": "1601",
            "question": "What of Ostrel ends with 1601?",
            "resolved": "What of Ostrel ends with 1601?",
            "support_title": "Ostrel (town)",
          },
        ],
        "entity": "Ostrel (town)",
        "id": "compound-07a9f2f2880b7927",
        "paragraphs": [
          {
            "is_supporting": true,
            "text": "Ostrel was founded in 1601.",
            "title": "Ostrel (town)",
          },
          {
            "is_supporting": false,
            "text": "Ostrel has a bridge of iron1.",
            "title": "Ostrel (town)",
          },
          {
            "is_supporting": true,
            "text": "The painter Ada1 lived in Ostrel.",
            "title": "",
          },
        ],
        "question": "What of Ostrel ends with Ostrel? And: What of Ostrel ends with 1601?",
        "type": "2hop",
      }
    `);
    await using dev = await temporaryFolder();
    await built(dev.path, { devShare: 1 });
    const { trainset } = await questionSet({ set: "compound", folder: dev.path, corpus: towned });
    const { splits } = trainset;
    expect(splits.test).toHaveLength(3);
    expect(splits.test.find(({ cluster }) => cluster === "Ostrel (town)")).toMatchObject({
      labels: { route: "compound", answers: ostrel?.["answers"] },
    });
  });

  it("tries another combination where the LM declines one, and counts it", async () => {
    await using folder = await temporaryFolder();
    let declined = 0;
    const { settled } = await built(folder.path, {
      reply: (request) => {
        const isCombining = request.response_format?.json_schema.name === "combine-questions";
        return isCombining && declined++ === 0
          ? JSON.stringify({ compoundQuestion: '"No."' })
          : answerTo(request);
      },
      concurrency: 1,
    });
    expect(settled).toMatchObject({ value: { train: 3, refused: 1 } });
    await using never = await temporaryFolder();
    const none = await built(never.path, {
      reply: (request) =>
        request.response_format?.json_schema.name === "combine-questions"
          ? JSON.stringify({ compoundQuestion: "no" })
          : answerTo(request),
    });
    expect(none.settled).toMatchObject({ value: { train: 0 } });
  });

  it("leaves out questions that are unreadable, not of the entity, or answered elsewhere", async () => {
    await using folder = await temporaryFolder();
    const { settled } = await built(folder.path, {
      reply: (request) => {
        const fields = request.messages.map(({ content }) => content).join("\n");
        if (/founded in 1600/.test(fields)) return "no JSON at all";
        if (/founded in 1601/.test(fields)) {
          return JSON.stringify({ question: "When was it founded?", answer: "1601" });
        }
        if (/founded in 1602/.test(fields)) {
          return JSON.stringify({ question: "When was Kessing founded?", answer: "160" });
        }
        return answerTo(request);
      },
    });
    expect(settled).toMatchObject({ value: { train: 3, unusable: 3 } });
    for (const { type } of await rowsIn(folder.path)) expect(type).toBe("2hop");
  });

  it("goes on where it ended and asks nothing twice", async () => {
    await using folder = await temporaryFolder();
    let answered = 0;
    const first = await built(folder.path, {
      reply: (request) =>
        ++answered > 6 ? { status: 400, body: '{"error":{"message":"bad"}}' } : answerTo(request),
      concurrency: 1,
    });
    expect(first.settled).toMatchObject({ reason: { code: "lm-request-refused" } });
    await appendFile(join(folder.path, "progress.jsonl"), '{"entity":"torn');
    const second = await built(folder.path);
    expect(second.settled).toMatchObject({ value: { train: 3, entities: 4 } });
    const again = await built(folder.path);
    expect([again.settled, again.requests]).toEqual([second.settled, 0]);

    await using whole = await temporaryFolder();
    const { requests } = await built(whole.path);
    expect(await rowsIn(folder.path)).toEqual(await rowsIn(whole.path));
    expect(second.requests).toBeLessThan(requests);
  });

  it("refuses to go on with something else", async () => {
    await using folder = await temporaryFolder();
    await built(folder.path);
    const { settled } = await built(folder.path, { seed: 1 });
    expect(settled).toMatchObject({ reason: { code: "journal-mismatch" } });
  });

  it("refuses a record that is broken in the middle, with its line", async () => {
    await using folder = await temporaryFolder();
    await built(folder.path);
    await appendFile(join(folder.path, "progress.jsonl"), '{"entity":3}\n');
    const { settled } = await built(folder.path);
    expect(settled).toMatchObject({ reason: { code: "file-malformed" } });
  });

  it.each([
    ["entities", 0],
    ["documents", 1.5],
    ["perEntity", Number.NaN],
    ["devShare", 2],
    ["testShare", -0.1],
    // With the tests' `devShare` of 0.
    ["testShare", 1.1],
  ])("refuses %s %d", async (name, value) => {
    await using folder = await temporaryFolder();
    const { settled } = await built(folder.path, { [name]: value });
    expect(settled).toMatchObject({ reason: { code: "option-invalid" } });
  });

  it("deals the questions of an entity to train or dev, the same at any concurrency", async () => {
    await using folder = await temporaryFolder();
    await using other = await temporaryFolder();
    await built(folder.path, { devShare: 0.5, perEntity: 2, concurrency: 1 });
    await built(other.path, { devShare: 0.5, perEntity: 2, concurrency: 4 });
    const of = async (path: string, name: string) =>
      (await rowsIn(path, name)).map(({ id, entity }) => ({ id, entity }));
    const train = await of(folder.path, "compound_train.jsonl");
    const dev = await of(folder.path, "compound_dev.jsonl");
    expect(train.length + dev.length).toBe(6);
    const inDev = new Set(dev.map(({ entity }) => entity));
    expect(train.filter(({ entity }) => inDev.has(entity))).toEqual([]);
    expect(await of(other.path, "compound_train.jsonl")).toEqual(train);
    expect(await of(other.path, "compound_dev.jsonl")).toEqual(dev);
  });
});

describe("a test share", () => {
  it("deals entities to a test file too, and leaves those of dev where they were", async () => {
    await using folder = await temporaryFolder();
    await using other = await temporaryFolder();
    await built(folder.path, { devShare: 0.5 });
    const { settled } = await built(other.path, { devShare: 0.5, testShare: 0.5 });
    const dev = await rowsIn(folder.path, "compound_dev.jsonl");
    const left = await rowsIn(folder.path);
    expect(settled).toMatchObject({ value: { train: 0, dev: dev.length, test: left.length } });
    expect(left.length).toBeGreaterThan(0);
    expect(await rowsIn(other.path, "compound_dev.jsonl")).toEqual(dev);
    expect(await rowsIn(other.path, "compound_test.jsonl")).toEqual(left);
  });

  it("makes the set's test split, before dev", async () => {
    await using folder = await temporaryFolder();
    await built(folder.path, { devShare: 0.5, testShare: 0.5 });
    const { trainset } = await questionSet({
      set: "compound",
      folder: folder.path,
      corpus: towned,
    });
    const test = await rowsIn(folder.path, "compound_test.jsonl");
    expect(trainset.splits.test.map(({ id }) => id)).toEqual(test.map(({ id }) => id));
  });
});

describe("the command", () => {
  const run = (...words: readonly string[]) =>
    promisify(execFile)(
      process.execPath,
      ["--conditions=espalier:source", "scripts/build-compound-questions.ts", ...words],
      { cwd: new URL("../../", import.meta.url).pathname },
    ).catch((error: unknown) => error as { readonly stdout: string; readonly stderr: string });

  it("builds from a file over HTTP, and says in one sentence what is missing", async () => {
    await using folder = await temporaryFolder();
    await using server = await scriptedLm(answerTo);
    const path = join(folder.path, "corpus.jsonl");
    await writeFile(path, towned.passages.map((passage) => JSON.stringify(passage)).join("\n"));
    const out = ["--corpus", path, "--out", join(folder.path, "out")];
    const lm = ["--lm", server.url, "--model", "scripted"];
    expect(await run(...out, ...lm, "--dev-share", "0")).toMatchObject({
      stdout:
        "3 train, 0 dev and 0 test questions about 4 entities; 0 simple questions were unusable, 0 combinations declined\n",
    });
    expect((await run(...out)).stderr).toMatch(/^--lm is missing\. Expected: --corpus FILE/);
    expect((await run("--corpsu", path)).stderr).toMatch(/--corpsu/);
    const absent = await run("--corpus", "nowhere.jsonl", "--out", folder.path, ...lm);
    expect(absent.stderr).toMatch(/nowhere\.jsonl/);
  });
});
