import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { MultiHopSet } from "../../trainsets/multi-hop/index.ts";
import { multiHop, paragraphKey } from "../../trainsets/multi-hop/index.ts";
import { sharedData } from "../support/shared-data.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { thrownBy } from "../support/thrown-by.ts";

const data = sharedData("multihop");

async function idsOf(set: MultiHopSet): Promise<ReadonlyMap<string, string>> {
  const text = gunzipSync(await readFile(join(data.file, `${set}_corpus.jsonl.gz`))).toString();
  return new Map(
    text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { _id: string; title: string; text: string })
      .map((row) => [paragraphKey(row), row._id]),
  );
}

describe("multi-hop sets", () => {
  test.skipIf(data.isAbsent).each([
    ["musique", [66, 34, 100]],
    ["2wikimultihopqa", [333, 167, 82]],
  ] as const)(
    `%s: train and val from its train rows, test from its dev rows${data.note}`,
    async (set, sizes) => {
      const { splits } = await multiHop({ set, folder: data.file, ids: await idsOf(set) });
      expect([splits.train.length, splits.val.length, splits.test.length].toSorted()).toEqual(
        [...sizes].toSorted(),
      );
      expect(splits.val.length).toBeLessThan(splits.train.length);
      for (const { labels } of splits.test) {
        expect(Object.keys(labels.relevant).length).toBeGreaterThanOrEqual(2);
      }
    },
  );

  test.skipIf(data.isAbsent)(
    `a paragraph that is not in the collection is an error${data.note}`,
    async () => {
      const loading = multiHop({ set: "musique", folder: data.file, ids: new Map() });
      await expect(loading).rejects.toMatchObject({ code: "passage-unknown" });
    },
  );

  test("refuses questions without a supporting paragraph", async () => {
    await using folder = await temporaryFolder();
    const row = {
      id: "q1",
      question: "Who wrote the novel that the film is based on?",
      answers: ["Ada"],
      paragraphs: [{ title: "The film", text: "A film.", is_supporting: false }],
    };
    await writeFile(join(folder.path, "musique_train.jsonl"), JSON.stringify(row));
    const { code, message } = await thrownBy(() =>
      multiHop({ set: "musique", folder: folder.path, ids: new Map() }),
    );
    expect(`${code}: ${message.replaceAll(`${folder.path}/`, "")}`).toMatchInlineSnapshot(
      `"dataset-invalid: The questions have no relevance judgements, so nothing can be judged by them (at musique_train.jsonl). Expected: \`is_supporting: true\` on the paragraphs that an answer needs. Got: 1 of 1 questions without any. Use rows that have them, such as those of train and dev."`,
    );
  });
});
