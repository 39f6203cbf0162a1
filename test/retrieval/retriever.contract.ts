import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Passage, RankedPassage, Retriever } from "espalier";
import { questions, shelf, strangeQueries } from "./shelf.ts";

export interface RetrieverSubject extends AsyncDisposable {
  readonly retriever: Retriever;
}

export type RetrieverRule = "unknownWords" | "abortsInFlight";

/**
 * What holds of every retriever. `open` gives one over the passages of `shelf`; `skips` names the
 * rules it cannot keep, with the reason.
 */
export function retrieverContract(
  name: string,
  open: () => Promise<RetrieverSubject>,
  skips: Partial<Record<RetrieverRule, string>> = {},
): void {
  const unless = (rule: RetrieverRule): typeof it =>
    skips[rule] === undefined ? it : (it.skip as typeof it);
  const because = (rule: RetrieverRule): string =>
    skips[rule] === undefined ? "" : ` [SKIPPED: ${skips[rule]}]`;
  const byId = new Map(shelf.map((passage) => [passage.id, passage]));

  const checkRanking = (found: readonly RankedPassage[], k: number): void => {
    expect(found.length).toBeLessThanOrEqual(k);
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
    for (const [index, { score, ...passage }] of found.entries()) {
      expect(Number.isFinite(score)).toBe(true);
      expect(score).toBeLessThanOrEqual(found[index - 1]?.score ?? Number.POSITIVE_INFINITY);
      expect(passage).toEqual(byId.get(passage.id) satisfies Passage | undefined);
    }
  };

  describe(`${name} keeps the contract of a retriever`, () => {
    it("says who it is", async () => {
      await using subject = await open();
      expect(subject.retriever.name).toMatch(/^[a-z][A-Za-z0-9]*$/);
      expect(subject.retriever.version).not.toBe("");
    });

    it("returns at most k whole passages, each once, best first", async () => {
      await using subject = await open();
      for (const query of questions) {
        for (const k of [1, 3, 1_000]) {
          const found = await subject.retriever.doRetrieve({ query, k }, {});
          checkRanking(found, k);
          expect(found.length).toBeGreaterThan(0);
        }
      }
    });

    it("finds what a query names", async () => {
      await using subject = await open();
      const query = "lighthouse of red brick in Varnholm";
      const [first] = await subject.retriever.doRetrieve({ query, k: 3 }, {});
      expect(first?.id).toBe("0-building");
    });

    it("returns with a smaller k the beginning of what it returns with a larger", async () => {
      await using subject = await open();
      for (const query of questions) {
        const many = await subject.retriever.doRetrieve({ query, k: 20 }, {});
        const few = await subject.retriever.doRetrieve({ query, k: 4 }, {});
        expect(few).toEqual(many.slice(0, 4));
      }
    });

    it.each([0, -1, 1.5, Number.NaN])("refuses a k of %s", async (k) => {
      await using subject = await open();
      const call = subject.retriever.doRetrieve({ query: questions[0], k }, {});
      await expect(call).rejects.toMatchObject({ code: "option-invalid" });
    });

    it("returns nothing for an empty query", async () => {
      await using subject = await open();
      for (const query of ["", "  \n\t "]) {
        expect(await subject.retriever.doRetrieve({ query, k: 5 }, {})).toEqual([]);
      }
    });

    unless("unknownWords")(
      `returns nothing for words that no passage has${because("unknownWords")}`,
      async () => {
        await using subject = await open();
        const query = "zyzzyva quokka ξένος";
        expect(await subject.retriever.doRetrieve({ query, k: 5 }, {})).toEqual([]);
      },
    );

    it.each(strangeQueries.map((query) => [query.slice(0, 40), query]))(
      "takes %j for words",
      async (_, query) => {
        await using subject = await open();
        checkRanking(await subject.retriever.doRetrieve({ query, k: 5 }, {}), 5);
      },
    );

    it("takes any text whatever", async () => {
      await using subject = await open();
      const property = fc.asyncProperty(fc.string({ unit: "binary" }), async (query) => {
        checkRanking(await subject.retriever.doRetrieve({ query, k: 5 }, {}), 5);
      });
      await fc.assert(property, { numRuns: 50 });
    });

    it("returns the same for the same request, alone or beside 50 others", async () => {
      await using subject = await open();
      const requests = Array.from({ length: 50 }, (_, index) => ({
        query: `${questions[index % questions.length]} ${shelf[index % shelf.length]?.title}`,
        k: 1 + (index % 7),
      }));
      const together = await Promise.all(
        requests.map((request) => subject.retriever.doRetrieve(request, {})),
      );
      for (const [index, request] of requests.entries()) {
        expect(await subject.retriever.doRetrieve(request, {})).toEqual(together[index]);
      }
    });

    it("rejects with the reason of a signal that has fired", async () => {
      await using subject = await open();
      const reason = new Error("enough");
      const signal = AbortSignal.abort(reason);
      const call = subject.retriever.doRetrieve({ query: questions[0], k: 5 }, { signal });
      await expect(call).rejects.toBe(reason);
    });

    unless("abortsInFlight")(
      `rejects with the reason of a signal that fires later${because("abortsInFlight")}`,
      async () => {
        await using subject = await open();
        const reason = new Error("enough");
        const controller = new AbortController();
        const { signal } = controller;
        const call = subject.retriever.doRetrieve({ query: questions[0], k: 5 }, { signal });
        controller.abort(reason);
        await expect(call).rejects.toBe(reason);
      },
    );
  });
}
