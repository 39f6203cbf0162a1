import { expect, test } from "vitest";
import { bm25OnMtrag, mtrag, independent, queryKinds } from "../bench/support/bm25-on-mtrag.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

test.skipIf(mtrag.isAbsent)(
  `BM25 over the pooled passages of MTRAG finds what an independent FTS5 index found${mtrag.note}`,
  async () => {
    await using folder = await temporaryFolder();
    const { passages, figures } = await bm25OnMtrag(folder.path);
    expect(passages).toBe(42_595);
    for (const kind of queryKinds) {
      const { queries, ...values } = figures[kind];
      expect(queries).toBe(777);
      for (const [name, value] of Object.entries(independent[kind])) {
        expect(Math.abs(values[name as keyof typeof values] - value)).toBeLessThan(0.01);
      }
    }
  },
);
