import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { mtrag } from "../../trainsets/mtrag/index.ts";
import { sharedData } from "../support/shared-data.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { thrownBy } from "../support/thrown-by.ts";

const data = sharedData("mtrag");

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
    `deals conversations as splits.json says where it is absent${data.note}`,
    async () => {
      await using folder = await temporaryFolder();
      const publicLayout = join(folder.path, "mtrag-human/generation_tasks");
      await mkdir(publicLayout, { recursive: true });
      await cp(join(data.file, "tasks.jsonl"), join(publicLayout, "reference.jsonl"));
      const [bySplits, byRule] = await Promise.all([
        mtrag({ folder: data.file }),
        mtrag({ folder: folder.path }),
      ]);
      expect(byRule.checksum).toBe(bySplits.checksum);
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
    });
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
      `"dataset-invalid: The MTRAG tasks have no relevance judgements, so nothing can be judged by them (at tasks.jsonl). Expected: the relevant passages of a task in its \`contexts\`, by \`document_id\`. Got: 2 of 2 tasks with empty \`contexts\`. Take the tasks with reference passages: tasks.jsonl or mtrag-human/generation_tasks/reference.jsonl."`,
    );
    expect(await refusal({})).toMatchInlineSnapshot(
      `"file-malformed: The row does not have the declared shape (at tasks.jsonl:1, field \`contexts\`). Expected: Invalid input: expected array, received undefined. Got: nothing. Correct it."`,
    );
  });

  test("says what it expected of a folder that is something else", async () => {
    await using folder = await temporaryFolder();
    await expect(mtrag({ folder: folder.path })).rejects.toMatchObject({ code: "file-missing" });
  });
});
