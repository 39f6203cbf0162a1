import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { decomposedQuestions, paragraphKey } from "../../trainsets/multi-hop/index.ts";
import { sharedData } from "../support/shared-data.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const data = sharedData("multihop");

async function idsOf(set: string): Promise<ReadonlyMap<string, string>> {
  const text = gunzipSync(await readFile(join(data.file, `${set}_corpus.jsonl.gz`))).toString();
  return new Map(
    text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { _id: string; title: string; text: string })
      .map((row) => [paragraphKey(row), row._id]),
  );
}

describe("questions of several steps", () => {
  test.skipIf(data.isAbsent)(
    `MuSiQue tells what is to be found out, earlier answers filled in, and where${data.note}`,
    async () => {
      const { splits } = await decomposedQuestions({
        set: "musique",
        folder: data.file,
        ids: await idsOf("musique"),
      });
      expect([splits.train.length, splits.val.length, splits.test.length]).toEqual([66, 34, 100]);
      expect(splits.test[0]).toMatchObject({
        input: { question: "What is the seat of the county where Van Hook Township is located?" },
        labels: {
          answers: ["Stanley"],
          route: "complex",
          questionType: "2hop",
          decomposition: [
            { answer: "Mountrail County" },
            { question: "Mountrail County >> capital", answer: "Stanley" },
          ],
        },
      });
      const misplaced = splits.test.filter(({ labels }) =>
        labels.decomposition.some(
          ({ passageId = "" }) => passageId !== "" && labels.relevant[passageId] !== 1,
        ),
      );
      expect(misplaced).toEqual([]);
    },
  );

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
    const ids = new Map([
      ["Bridge\nIt was built in 1902.", "p1"],
      ["Builder\nAda built it.", "p2"],
    ]);
    await write("compound_dev.jsonl", [row("q1", "The bridge")]);
    const options = { set: "compound", folder: folder.path, ids } as const;
    const { splits } = await decomposedQuestions(options);
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
    const learnt = (await decomposedQuestions(options)).splits;
    expect(learnt.val.map(({ id }) => id)).toEqual(["t0", "t1", "t4", "t5", "t6"]);
    expect(learnt.train.map(({ id }) => id)).toEqual(["t2", "t3"]);
  });

  test("a file that is not there is named, and so is a paragraph that the collection lacks", async () => {
    await using folder = await temporaryFolder();
    const options = { set: "musique", folder: folder.path, ids: new Map() } as const;
    await expect(decomposedQuestions(options)).rejects.toMatchObject({ code: "file-missing" });
    const row = {
      id: "q1",
      question: "Who?",
      answers: ["Ada"],
      paragraphs: [{ title: "Ada", text: "A poet.", is_supporting: true }],
    };
    await writeFile(join(folder.path, "musique_dev.jsonl"), JSON.stringify(row));
    await expect(decomposedQuestions(options)).rejects.toMatchObject({ code: "passage-unknown" });
  });
});
