import { readFileSync } from "node:fs";
import { join } from "node:path";
import { predict, program, signature, text } from "espalier";
import { exactMatch } from "espalier/metric";
import { z } from "zod";
import { repository } from "../../support/python/test-cache.ts";

const shelves = ["encyclopedia", "cloud", "finance", "government"] as const;
const input = { passage: text("passage", "A passage.") };
const shelf = z.enum(shelves).describe("Where it stands.");

const choose = signature({
  name: "choose",
  instruction: "Say on which shelf the passage stands.",
  input,
  output: { shelf },
});

/** One short call for each passage. */
export const sorter = program({
  name: "sorter",
  version: "1",
  input,
  output: { shelf },
  predictors: {
    choose: predict(choose, { sampling: { maxCompletionTokens: 60 }, thinking: false }),
  },
  forward: (given, { predictors }) => predictors.choose(given),
});

export const rightShelf = exactMatch({ answer: "shelf", golds: "golds" });

/** Passages of the repository, each with its shelf, over and over. */
export function shelfExamples(count: number) {
  const known = shelves.flatMap((shelf) => {
    const file = join(repository, `trainsets/four-shelves/passages/${shelf}.jsonl`);
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    return lines.map((line) => {
      const { text } = JSON.parse(line) as { readonly text: string };
      return { input: { passage: text.slice(0, 400) }, labels: { golds: [shelf] } };
    });
  });
  return Array.from({ length: count }, (_, index) => ({
    id: `p${index}`,
    ...known[(index * 7) % known.length]!,
  }));
}
