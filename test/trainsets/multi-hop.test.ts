import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { corpus, readCorpus } from "../../src/retrieval/index.ts";
import { questionSet } from "../../trainsets/multi-hop/index.ts";
import { sharedData } from "../support/shared-data.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const data = sharedData("multihop");

const corpusOf = async (set: string) => readCorpus(join(data.file, `${set}_corpus.jsonl.gz`));

describe("samples of multi-hop sets", () => {
  test.skipIf(data.isAbsent).each([
    ["hotpotqa", [66, 34, 500]],
    ["musique", [66, 34, 100]],
    ["2wikimultihopqa", [333, 167, 82]],
  ] as const)(
    `%s: train and val from its train rows, test from its dev rows${data.note}`,
    async (set, sizes) => {
      const { trainset } = await questionSet({
        set,
        folder: data.file,
        corpus: await corpusOf(set),
      });
      const { train, val, test: held } = trainset.splits;
      expect([train.length, val.length, held.length]).toEqual(sizes);
      for (const { labels } of held) {
        expect(Object.keys(labels.relevant).length).toBeGreaterThanOrEqual(2);
        expect(Number(labels.hops)).toBeGreaterThanOrEqual(2);
      }
    },
  );

  test.skipIf(data.isAbsent)(
    `MuSiQue tells what is to be found out, earlier answers filled in, and where${data.note}`,
    async () => {
      const { trainset } = await questionSet({
        set: "musique",
        folder: data.file,
        corpus: await corpusOf("musique"),
      });
      const { test: held } = trainset.splits;
      expect(held[0]).toMatchObject({
        input: { question: "What is the seat of the county where Van Hook Township is located?" },
        labels: {
          answers: ["Stanley"],
          route: "complex",
          questionType: "2hop",
          hops: "2",
          decomposition: [
            { answer: "Mountrail County" },
            { question: "Mountrail County >> capital", answer: "Stanley" },
          ],
        },
      });
      const misplaced = held.filter(({ labels }) =>
        labels.decomposition.some(
          ({ passageId = "" }) => passageId !== "" && labels.relevant[passageId] !== 1,
        ),
      );
      expect(misplaced).toEqual([]);
    },
  );

  test.skipIf(data.isAbsent)(
    `without a given collection, the questions' own paragraphs are searched${data.note}`,
    async () => {
      const own = await questionSet({ set: "hotpotqa", folder: data.file });
      const known = new Set(own.corpus?.passages.map(({ id }) => id));
      expect(known.size).toBeGreaterThan(5_000);
      for (const { labels } of own.trainset.splits.test) {
        expect(Object.keys(labels.relevant).every((id) => known.has(id))).toBe(true);
      }
    },
  );

  test.skipIf(data.isAbsent)(
    `NQ and TriviaQA in one file: each set has its own questions, those without an answer left out${data.note}`,
    async () => {
      const counts = [];
      for (const set of ["nq", "triviaqa"] as const) {
        const notes: string[] = [];
        const { trainset } = await questionSet({
          set,
          folder: data.file,
          note: (sentence) => notes.push(sentence),
        });
        counts.push([trainset.splits.test.length, /\d+ of \d+/.exec(notes[0] ?? "")?.[0]]);
      }
      expect(counts).toEqual([
        [100, "100 of 200"],
        [200, undefined],
      ]);
    },
  );
});

test("questions about one entity stay in one split, and a set without train rows is all test", async () => {
  await using folder = await temporaryFolder();
  const row = (id: string, entity: string) => ({
    id,
    entity,
    type: "compound",
    question: "When was it built, and by whom?",
    answers: ["1902 && Ada"],
    paragraphs: [
      { title: "Bridge", text: "It was built in 1902.", is_supporting: true },
      { title: "Builder", text: "Ada built it.", is_supporting: true },
      { title: "Other", text: "Another.", is_supporting: false },
    ],
    decomposition: [
      { question: "When was it built?", answer: "1902", support_title: "Bridge" },
      { question: "Who built it?", answer: "Ada", support_title: "Builder" },
    ],
  });
  const write = (name: string, rows: readonly unknown[]) =>
    writeFile(join(folder.path, name), rows.map((one) => JSON.stringify(one)).join("\n"));
  const given = corpus([
    { id: "p1", title: "Bridge", text: "It was built in 1902." },
    { id: "p2", title: "Builder", text: "Ada built it." },
  ]);
  await write("compound_dev.jsonl", [row("q1", "The bridge")]);
  const options = { set: "compound", folder: folder.path, corpus: given } as const;
  const { splits } = (await questionSet(options)).trainset;
  expect([splits.train.length, splits.val.length]).toEqual([0, 0]);
  expect(splits.test[0]?.labels).toMatchInlineSnapshot(`
    {
      "answers": [
        "1902 && Ada",
      ],
      "decomposition": [
        {
          "answer": "1902",
          "passageId": "p1",
          "question": "When was it built?",
        },
        {
          "answer": "Ada",
          "passageId": "p2",
          "question": "Who built it?",
        },
      ],
      "hops": "2",
      "questionType": "compound",
      "relevant": {
        "p1": 1,
        "p2": 1,
      },
      "route": "compound",
    }
  `);
  const entities = ["a", "a", "b", "c", "a", "d", "d"];
  await write(
    "compound_train.jsonl",
    entities.map((entity, index) => row(`t${index}`, entity)),
  );
  const learnt = (await questionSet(options)).trainset.splits;
  expect(learnt.val.map(({ id }) => id)).toEqual(["t0", "t1", "t4", "t5", "t6"]);
  expect(learnt.train.map(({ id }) => id)).toEqual(["t2", "t3"]);
});

test("a supporting paragraph that a given collection lacks is an error", async () => {
  await using folder = await temporaryFolder();
  const row = {
    id: "q1",
    question: "Who?",
    answers: ["Ada"],
    paragraphs: [{ title: "Ada", text: "A poet.", is_supporting: true }],
  };
  await writeFile(join(folder.path, "musique_dev.jsonl"), JSON.stringify(row));
  const given = corpus([{ id: "p1", title: "Another", text: "A passage." }]);
  await expect(
    questionSet({ set: "musique", folder: folder.path, corpus: given }),
  ).rejects.toMatchObject({ code: "passage-unknown" });
});
