import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Example, Metric, TunableProgram } from "espalier";
import { evaluate } from "espalier/evaluate";

import { rehearsalLm } from "@espalier/rehearsal";
import { afterAll, beforeAll, expect, it } from "vitest";
import { randomSource } from "../../src/internal/index.ts";
import { pngOfText } from "../support/png.ts";

const repository = resolve(import.meta.dirname, "../..");
const page = readFileSync(join(repository, "docs/guide/images.md"), "utf8");
// Inside of the repository, so that the package name means this tree.
let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(repository, ".tmp-images-page-"));
  mkdirSync(join(folder, "scans"));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Page {
  readonly receiptReader: TunableProgram;
  readonly fieldsRight: Metric;
  readonly receiptsIn: (path: string) => Promise<readonly Example[]>;
}

/** Receipts of made-up shops, the same each time. */
function writeReceipts(count: number): string {
  const random = randomSource(7, "receipts");
  const rows = Array.from({ length: count }, (_, index) => {
    const id = String(index + 1);
    const price = `${random.below(40) + 1}.${10 + random.below(90)}`;
    const labels = {
      date: `2026-03-${10 + random.below(20)}`,
      total: `EUR${price}`,
      payment: random.choice(["card", "cash"] as const),
    };
    const shop = random.choice(["Harbour Bakery", "The Old Mill", "North Railway"]);
    const paid = labels.payment === "card" ? "Paid by card" : "Paid in cash";
    const lines = [shop, labels.date, `Goods ${price}`, `Total ${labels.total}`, paid];
    writeFileSync(join(folder, `scans/${id}.png`), pngOfText(lines));
    return JSON.stringify({ id, input: { receipt: `scans/${id}.png` }, labels });
  });
  const path = join(folder, "receipts.jsonl");
  writeFileSync(path, `${rows.join("\n")}\n`);
  return path;
}

it("the program of the page on images reads receipts, in rehearsal", async () => {
  const [, code = ""] = /<!-- file: receipts[.]ts -->\s*```ts\n([^]*?)```/.exec(page) ?? [];
  const path = join(folder, "receipts.ts");
  writeFileSync(path, code);
  const { receiptReader, fieldsRight, receiptsIn } = (await import(path)) as Page;
  const examples = await receiptsIn(writeReceipts(6));
  expect(examples[0]?.input).toEqual({
    receipt: expect.stringMatching(/^data:image\/png;base64,/) as string,
  });
  const { value, rows } = await evaluate({
    program: receiptReader,
    examples,
    metric: fieldsRight,
    lm: rehearsalLm(),
    seed: 0,
  });
  expect(rows.map(({ score }) => score.kind)).toEqual(Array(6).fill("scored"));
  expect(value).toBe(1);
});
