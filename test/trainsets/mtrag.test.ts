import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { retrievalRecall } from "../../src/metric/index.ts";
import { mtrag, mtragWithPassages } from "../../trainsets/mtrag/index.ts";
import { sharedData } from "../support/shared-data.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { thrownBy } from "../support/thrown-by.ts";

const data = sharedData("mtrag");
/** Of our own writing, in the layout of MT-RAG 2.0. */
const laterRelease = join(import.meta.dirname, "fixtures/mtrag-later-release");

describe("MTRAG", () => {
  // Figures: README of the assembled subset.
  test.skipIf(data.isAbsent)(`has the published sizes${data.note}`, async () => {
    const set = await mtrag({ folder: data.file });
    const { train, val, test: held } = set.splits;
    const judged = (rows: typeof train) =>
      rows.filter(({ labels }) => Object.keys(labels.relevant).length > 0).length;
    expect([train, val, held].map((rows) => rows.length)).toEqual([417, 225, 200]);
    expect([train, val, held].map(judged)).toEqual([384, 206, 187]);
    const labels = Object.groupBy([...train, ...val, ...held], (row) => row.labels.answerability);
    expect(
      Object.fromEntries(Object.entries(labels).map(([label, rows]) => [label, rows.length])),
    ).toEqual({
      ANSWERABLE: 709,
      PARTIAL: 68,
      UNANSWERABLE: 55,
      CONVERSATIONAL: 10,
    });
  });

  test.skipIf(data.isAbsent)(
    `deals conversations as splits.json says where it is absent and they are to be dealt${data.note}`,
    async () => {
      await using folder = await temporaryFolder();
      const publicLayout = join(folder.path, "mtrag-human/generation_tasks");
      await mkdir(publicLayout, { recursive: true });
      await cp(join(data.file, "tasks.jsonl"), join(publicLayout, "reference.jsonl"));
      const queries = join(folder.path, "mtrag-human/retrieval_tasks/clapnq");
      await cp(join(data.file, "queries"), queries, { recursive: true });
      const [bySplits, byRule] = await Promise.all([
        mtrag({ folder: data.file }),
        mtrag({ folder: folder.path, withoutSplits: "deal" }),
      ]);
      expect(byRule.checksum).toBe(bySplits.checksum);
    },
  );

  // 777 rewrites, of which 209 leave the question as it is; the other turns were not rewritten.
  test.skipIf(data.isAbsent)(
    `tells each turn's place, and which make sense on their own${data.note}`,
    async () => {
      const { splits } = await mtrag({ folder: data.file });
      const all = Object.values(splits).flat();
      const counts = Object.groupBy(all, ({ labels }) => labels.dependence);
      const first = all.filter(({ labels }) => labels.turn === "1");
      expect(first).toHaveLength(110);
      expect(first.every(({ input }) => input.history.length === 0)).toBe(true);
      expect(all.filter(({ labels }) => labels.standalone !== undefined)).toHaveLength(777);
      expect(counts.standalone).toHaveLength(209 + 110 - 102);
      expect(counts.dependent).toHaveLength(777 - 209);
      expect(counts.unknown).toHaveLength(842 - 777 - (110 - 102));
    },
  );

  test.skipIf(data.isAbsent)(
    `gives the passages that it lists with each turn as input, if they are wanted${data.note}`,
    async () => {
      const { splits } = await mtragWithPassages({ folder: data.file });
      const all = Object.values(splits).flat();
      const answerable = all.filter(({ labels }) => labels.answerability === "ANSWERABLE");
      expect(answerable.every(({ input }) => input.passages.length > 0)).toBe(true);
      const unanswerable = all.filter(({ labels }) => labels.answerability === "UNANSWERABLE");
      expect(unanswerable.every(({ input }) => input.passages.length === 0)).toBe(true);
    },
  );

  test.skipIf(data.isAbsent)(
    `draws the paper's 50 training turns by stratum and seed${data.note}`,
    async () => {
      const draw = async (seed: number) =>
        (await mtrag({ folder: data.file, trainSample: { count: 50, seed } })).splits.train;
      const [first, again, other] = [await draw(42), await draw(42), await draw(43)];
      expect(first).toHaveLength(50);
      expect(again).toEqual(first);
      expect(other).not.toEqual(first);
      expect(new Set(first.map(({ labels }) => labels.collection)).size).toBe(4);
      expect(new Set(first.map(({ labels }) => labels.questionType)).size).toBeGreaterThan(8);
    },
  );

  test("reads the public repository's spelling of the labels", async () => {
    await using folder = await temporaryFolder();
    const row = {
      task_id: "c1<::>1",
      conversation_id: "c1",
      Collection: "mt-rag-fiqa-beir-elser-512-100-20240501",
      input: [{ speaker: "user", text: "What is a bond?" }],
      targets: [{ speaker: "agent", text: "A loan." }],
      contexts: [{ document_id: "p1" }],
      Answerability: ["UNANSWERABLE"],
      "Question Type": ["Factoid"],
    };
    await writeFile(join(folder.path, "tasks.jsonl"), `${JSON.stringify(row)}\n`);
    const { splits } = await mtrag({ folder: folder.path });
    const [example] = [...splits.train, ...splits.val, ...splits.test];
    expect(example?.labels).toMatchObject({
      collection: "fiqa",
      answerability: "UNANSWERABLE",
      questionType: "Factoid",
      questionTypes: ["Factoid"],
    });
  });

  test("takes relevance from the qrels of the later release, and leaves turns without them unjudged", async () => {
    const { splits } = await mtrag({ folder: laterRelease });
    const relevant = splits.test.map(({ id, labels }) => [
      id,
      labels.answerability,
      ...Object.keys(labels.relevant),
    ]);
    expect(relevant).toEqual([
      ["conv-ferry<::>1", "ANSWERABLE", "ferry-1"],
      ["conv-ferry<::>2", "UNDERSPECIFIED"],
      ["conv-ferry<::>3", "PARTIAL", "ferry-2"],
      ["conv-vault<::>1", "ANSWERABLE", "vault_00012-7-2197"],
      ["conv-rent<::>1", "ANSWERABLE", "20481-0-310"],
      ["conv-rent<::>2", "UNANSWERABLE"],
      ["conv-well<::>1", "UNDERSPECIFIED"],
    ]);
    expect(splits.test.map(({ labels }) => labels.collection)).toEqual([
      "clapnq",
      "clapnq",
      "clapnq",
      "cloud",
      "fiqa",
      "fiqa",
      "govt",
    ]);
    expect(splits.test[2]?.input).toEqual({
      question: "With a bicycle.",
      history: [
        { speaker: "user", text: "When does the island ferry leave?" },
        { speaker: "assistant", text: "At 7:15 and at 18:40, from the eastern pier." },
        { speaker: "user", text: "And what about it with one?" },
        { speaker: "assistant", text: "Do you mean with a bicycle, or with a car?" },
      ],
    });
  });

  test("the later release: places of turns, and passages also of underspecified ones", async () => {
    const { splits } = await mtragWithPassages({ folder: laterRelease });
    expect(
      splits.test.map(({ labels, input }) => [
        labels.answerability,
        labels.turn,
        labels.dependence,
        input.passages.map(({ id }) => id).join(" "),
      ]),
    ).toMatchInlineSnapshot(`
      [
        [
          "ANSWERABLE",
          "1",
          "standalone",
          "ferry-1",
        ],
        [
          "UNDERSPECIFIED",
          "2",
          "unknown",
          "ferry-2 ferry-1",
        ],
        [
          "PARTIAL",
          "3",
          "unknown",
          "ferry-2",
        ],
        [
          "ANSWERABLE",
          "1",
          "standalone",
          "vault_00012-7-2197",
        ],
        [
          "ANSWERABLE",
          "1",
          "standalone",
          "20481-0-310",
        ],
        [
          "UNANSWERABLE",
          "2",
          "unknown",
          "",
        ],
        [
          "UNDERSPECIFIED",
          "1",
          "standalone",
          "a91c-100-870",
        ],
      ]
    `);
  });

  test("a passage that is listed without its text is an error where texts are needed", async () => {
    await using folder = await temporaryFolder();
    const row = {
      task_id: "c1<::>1",
      conversation_id: "c1",
      Collection: "fiqa",
      input: [{ speaker: "user", text: "What is a bond?" }],
      targets: [{ text: "A loan." }],
      contexts: [{ document_id: "p1" }],
    };
    await writeFile(join(folder.path, "tasks.jsonl"), JSON.stringify(row));
    await expect(mtragWithPassages({ folder: folder.path })).rejects.toMatchObject({
      code: "dataset-invalid",
    });
  });

  test("counts a turn that the qrels lack for no retrieval metric", async () => {
    const { splits } = await mtrag({ folder: laterRelease });
    const recall = retrievalRecall({ k: 5, ranked: "passages", relevant: "relevant" });
    const trace = {
      program: "p",
      version: "1",
      input: {},
      notes: {},
      children: [],
      startedAtMs: 0,
      latencyMs: 0,
    };
    const figures = splits.test.map((example) => {
      const output = { passages: [{ id: "ferry-1", score: 1 }] };
      const score = recall.doScore({ example, output, trace });
      return "value" in score ? score.value : "kind" in score ? score.kind : score;
    });
    const unjudged = "not-applicable";
    expect(figures).toEqual([1, unjudged, 0, 0, 0, unjudged, unjudged]);
  });

  test("takes a set without splits as test alone unless told to deal it, and says so", async () => {
    const notes: string[] = [];
    const note = (sentence: string): void => void notes.push(sentence);
    const { splits } = await mtrag({ folder: laterRelease, note });
    expect([splits.train, splits.val, splits.test].map(({ length }) => length)).toEqual([0, 0, 7]);
    expect(notes).toEqual([
      "4 of 7 turns are judged for retrieval; the others count only for answers.",
      'There is no splits.json: all turns are in test. To optimize on them, set `withoutSplits: "deal"`.',
    ]);
    const dealt = await mtrag({ folder: laterRelease, withoutSplits: "deal", note });
    expect(dealt.splits.test.length).toBeLessThan(7);
    expect(notes).toHaveLength(3);
  });

  const header = "query-id\tcorpus-id\tscore\n";

  test("merges what several qrels files judge of one turn, and refuses a contradiction", async () => {
    await using folder = await temporaryFolder();
    await cp(laterRelease, folder.path, { recursive: true });
    const more = join(folder.path, "qrels/more.tsv");
    await writeFile(more, `${header}conv-ferry<::>1\tferry-9\t2\nconv-ferry<::>1\tferry-1\t1\n`);
    const { splits } = await mtrag({ folder: folder.path });
    const turn = splits.test.find(({ id }) => id === "conv-ferry<::>1");
    expect(turn?.labels.relevant).toEqual({ "ferry-1": 1, "ferry-9": 2 });
    await writeFile(more, `${header}conv-ferry<::>1\tferry-1\t0\n`);
    const { code, message } = await thrownBy(() => mtrag({ folder: folder.path }));
    expect(code).toBe("file-malformed");
    expect(message).toContain("`ferry-1` of query `conv-ferry<::>1`");
    expect(message).toContain("clapnq.tsv");
    expect(message).toContain("more.tsv");
  });

  test("counts a turn of which all judged passages are irrelevant for answers alone", async () => {
    await using folder = await temporaryFolder();
    await cp(laterRelease, folder.path, { recursive: true });
    await writeFile(join(folder.path, "qrels/more.tsv"), `${header}conv-ferry<::>2\tferry-1\t0\n`);
    const notes: string[] = [];
    await mtrag({ folder: folder.path, note: (sentence) => void notes.push(sentence) });
    expect(notes[0]).toContain("4 of 7 turns are judged for retrieval");
  });

  test("says how many conversations the splits lack", async () => {
    await using folder = await temporaryFolder();
    await cp(laterRelease, folder.path, { recursive: true });
    const splits = { train: ["conv-ferry"], dev: ["conv-vault"], test: ["conv-well"] };
    await writeFile(join(folder.path, "splits.json"), JSON.stringify(splits, null, 1));
    const notes: string[] = [];
    const set = await mtrag({ folder: folder.path, note: (sentence) => void notes.push(sentence) });
    const { train, val, test: held } = set.splits;
    expect([train, val, held].map(({ length }) => length)).toEqual([3, 1, 1]);
    expect(notes[1]).toBe(
      "splits.json lacks 1 of the conversations, such as `conv-rent`: 2 turns are in no split.",
    );
  });

  test.each([
    ["no JSON", '{"train": [', "The file does not say which conversation belongs to which split"],
    ["a split too few", '{"train": [], "test": []}', "dev"],
    ["other than lists", '{"train": [], "dev": {}, "test": []}', "dev"],
    [
      "a conversation in two splits",
      '{"train": ["conv-well"], "dev": [], "test": ["conv-well"]}',
      "`conv-well` is in two splits",
    ],
  ])("refuses splits of %s", async (_, content, told) => {
    await using folder = await temporaryFolder();
    await cp(laterRelease, folder.path, { recursive: true });
    await writeFile(join(folder.path, "splits.json"), content);
    const { code, message } = await thrownBy(() => mtrag({ folder: folder.path }));
    expect(code).toBe("file-malformed");
    expect(message).toContain("splits.json");
    expect(message).toContain(told);
  });

  test("refuses qrels that judge none of the tasks", async () => {
    await using folder = await temporaryFolder();
    await cp(laterRelease, folder.path, { recursive: true });
    await rm(join(folder.path, "qrels"), { recursive: true });
    await mkdir(join(folder.path, "qrels"));
    await writeFile(
      join(folder.path, "qrels/clapnq.tsv"),
      "query-id\tcorpus-id\tscore\nother<::>1\tp1\t1\n",
    );
    const { code, message } = await thrownBy(() => mtrag({ folder: folder.path }));
    expect(`${code}: ${message.replaceAll(`${folder.path}/`, "")}`).toMatchInlineSnapshot(
      `"dataset-invalid: The qrels cover none of the MTRAG tasks (at reference.jsonl). Expected: task ids as query ids, such as \`conv-ferry<::>1\`. Got: 1 queries, such as \`other<::>1\`. Put the qrels of this release beside its tasks."`,
    );
  });

  test("refuses tasks without relevance judgements, and says where they are to be had", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "tasks.jsonl");
    const refusal = async (contexts: object) => {
      const rows = ["c1", "c2"].map((id) => ({
        task_id: `${id}<::>1`,
        conversation_id: id,
        Collection: "fiqa",
        input: [{ speaker: "user", text: "What is a bond?" }],
        targets: [{ text: "A loan." }],
        ...contexts,
      }));
      await writeFile(path, rows.map((row) => JSON.stringify(row)).join("\n"));
      const { code, message } = await thrownBy(() => mtrag({ folder: folder.path }));
      return `${code}: ${message.replaceAll(`${folder.path}/`, "")}`;
    };
    expect(await refusal({ contexts: [] })).toMatchInlineSnapshot(
      `"dataset-invalid: The MTRAG tasks have no relevance judgements, so retrieval cannot be scored (at tasks.jsonl). Expected: qrels in qrels/*.tsv or retrieval_tasks/qrels/*.tsv or retrieval_tasks/*/qrels/*.tsv, or the relevant passages of a task in its \`contexts\`. Got: no qrels, and 2 of 2 tasks with empty \`contexts\`. Put the qrels beside the tasks, or use the tasks with reference passages."`,
    );
    expect(await refusal({})).toMatchInlineSnapshot(
      `"file-malformed: The row does not have the declared shape (at tasks.jsonl:1, field \`contexts\`). Expected: an array. Got: nothing; other fields: \`task_id\`, \`conversation_id\`, \`Collection\`, \`input\`, \`targets\`. Correct it."`,
    );
  });

  test("says what it expected of a folder that is something else", async () => {
    await using folder = await temporaryFolder();
    await expect(mtrag({ folder: folder.path })).rejects.toMatchObject({ code: "file-missing" });
  });
});
