import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import {
  compoundQuestions,
  paragraphKey,
  singleHopQuestions,
} from "../../trainsets/multi-hop/index.ts";
import { sharedData } from "../support/shared-data.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { thrownBy } from "../support/thrown-by.ts";

const data = sharedData("multihop");
const inData = (name: string) => join(data.file, name);

async function idsOf(collection: string): Promise<ReadonlyMap<string, string>> {
  const text = gunzipSync(await readFile(inData(`${collection}_corpus.jsonl.gz`))).toString();
  return new Map(
    text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { _id: string; title: string; text: string })
      .map((row) => [paragraphKey(row), row._id]),
  );
}

describe("compound questions from 2Wiki triples", () => {
  test.skipIf(data.isAbsent)(`all 26 are test, with the parts in order${data.note}`, async () => {
    const { splits } = await compoundQuestions(
      inData("compound_from_2wiki_triples.jsonl"),
      await idsOf("2wikimultihopqa"),
    );
    expect([splits.train.length, splits.val.length, splits.test.length]).toEqual([0, 0, 26]);
    expect(splits.test[0]?.labels).toMatchObject({
      answers: ["Italian && Rome"],
      route: "compound",
      decomposition: [
        { question: "What is the nationality of Romolo Guerrieri?", answer: "Italian" },
        { question: "Where was Romolo Guerrieri born?", answer: "Rome" },
      ],
    });
    for (const { labels } of splits.test) expect(Object.keys(labels.relevant)).toHaveLength(1);
  });

  test("a gold answer that is not its parts joined is an error with the line", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "compound.jsonl");
    const row = {
      id: "compound-0",
      question: "What is he, and where was he born?",
      sub_questions: [
        { question: "What is he?", answer: "Italian" },
        { question: "Where was he born?", answer: "Rome" },
      ],
      answer: "Italian && Rome",
      support: [{ title: "He", text: "An Italian, born in Rome." }],
    };
    const broken = { ...row, id: "compound-1", answer: "Rome && Italian" };
    await writeFile(path, `${JSON.stringify(row)}\n${JSON.stringify(broken)}\n`);
    const { code, message } = await thrownBy(() => compoundQuestions(path, new Map()));
    expect(code).toBe("file-malformed");
    expect(message).toContain("compound.jsonl:2, field `answer`");
    expect(message).toContain("joined by ` && `");
  });
});

describe("single-hop questions from MuSiQue", () => {
  test.skipIf(data.isAbsent)(
    `no question's steps and no paragraph are in two splits; dev rows are test${data.note}`,
    async () => {
      const { splits } = await singleHopQuestions(
        inData("singlehop_from_musique.jsonl"),
        await idsOf("musique"),
      );
      const all = Object.values(splits).flat();
      expect(all).toHaveLength(201);
      expect(splits.test.length).toBeGreaterThanOrEqual(124);
      expect(splits.train.length).toBeGreaterThan(splits.val.length);
      expect(splits.val.length).toBeGreaterThan(15);
      const owner = new Map<string, string>();
      for (const [split, examples] of Object.entries(splits)) {
        for (const { id, labels } of examples) {
          for (const key of [id.split("#")[0] ?? "", ...Object.keys(labels.relevant)]) {
            expect(owner.get(key) ?? split).toBe(split);
            owner.set(key, split);
          }
        }
      }
    },
  );

  test.skipIf(data.isAbsent)(
    `a paragraph that is not in the collection is an error${data.note}`,
    async () => {
      const loading = singleHopQuestions(inData("singlehop_from_musique.jsonl"), new Map());
      await expect(loading).rejects.toMatchObject({ code: "passage-unknown" });
    },
  );
});
