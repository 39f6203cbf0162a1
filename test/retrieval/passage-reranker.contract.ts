import { describe, expect, it } from "vitest";
import type { Passage, PassageReranker } from "espalier";
import { questions, shelf, strangeQueries } from "./shelf.ts";

export interface RerankerSubject extends AsyncDisposable {
  readonly reranker: PassageReranker;
}

/** What holds of every reranker that orders passages by the words they share with the query. */
export function passageRerankerContract(
  name: string,
  open: () => Promise<RerankerSubject>,
  { abortsInFlight }: { readonly abortsInFlight: true | string },
): void {
  describe(`${name} keeps the contract of a reranker`, () => {
    it("says who it is", async () => {
      await using subject = await open();
      expect(subject.reranker.name).toMatch(/^[a-z][A-Za-z0-9]*$/);
      expect(subject.reranker.version).not.toBe("");
    });

    it("puts the passage that the query is about first", async () => {
      await using subject = await open();
      const query = "lighthouse of red brick in Varnholm";
      const [first] = await subject.reranker.doRerank({ query, passages: shelf, k: 3 }, {});
      expect(first?.id).toBe("0-building");
    });

    it("returns the k best of the passages given, each whole and once, best first", async () => {
      await using subject = await open();
      const byId = new Map<string, Passage>(shelf.map((passage) => [passage.id, passage]));
      for (const query of questions) {
        const all = await subject.reranker.doRerank({ query, passages: shelf, k: 1_000 }, {});
        expect(all.map(({ id }) => id).toSorted()).toEqual([...byId.keys()].toSorted());
        for (const [index, { score, ...passage }] of all.entries()) {
          expect(score).toBeLessThanOrEqual(all[index - 1]?.score ?? Number.POSITIVE_INFINITY);
          expect(passage).toEqual(byId.get(passage.id));
        }
        const few = await subject.reranker.doRerank({ query, passages: shelf, k: 4 }, {});
        expect(few).toEqual(all.slice(0, 4));
      }
    });

    it("keeps the order given among equals, and the first of a repeated id", async () => {
      await using subject = await open();
      const passages = ["c", "a", "b", "a"].map((id, index) => ({
        id,
        text: "The harbour.",
        ...(index === 3 ? { title: "repeated" } : {}),
      }));
      const request = { query: "harbour", passages, k: 9 };
      const found = await subject.reranker.doRerank(request, {});
      expect(found.map(({ id }) => id)).toEqual(["c", "a", "b"]);
      expect(found.some(({ title }) => title === "repeated")).toBe(false);
    });

    it("returns nothing of nothing, and refuses a k below 1", async () => {
      await using subject = await open();
      const none = { query: "harbour", passages: [], k: 3 };
      expect(await subject.reranker.doRerank(none, {})).toEqual([]);
      const refused = subject.reranker.doRerank({ ...none, k: 0 }, {});
      await expect(refused).rejects.toMatchObject({ code: "option-invalid" });
    });

    it("takes any text for a query", async () => {
      await using subject = await open();
      const passages = shelf.slice(0, 3);
      for (const query of ["", ...strangeQueries]) {
        expect(await subject.reranker.doRerank({ query, passages, k: 3 }, {})).toHaveLength(3);
      }
    });

    it("returns the same for the same request, alone or beside 50 others", async () => {
      await using subject = await open();
      const requests = Array.from({ length: 50 }, (_, index) => ({
        query: `${questions[index % questions.length]}`,
        passages: shelf.slice(index % 20, (index % 20) + 5),
        k: 1 + (index % 5),
      }));
      const together = await Promise.all(
        requests.map((request) => subject.reranker.doRerank(request, {})),
      );
      for (const [index, request] of requests.entries()) {
        expect(await subject.reranker.doRerank(request, {})).toEqual(together[index]);
      }
    });

    it("rejects with the reason of a signal that has fired", async () => {
      await using subject = await open();
      const reason = new Error("enough");
      const request = { query: questions[0], passages: shelf, k: 5 };
      const call = subject.reranker.doRerank(request, { signal: AbortSignal.abort(reason) });
      await expect(call).rejects.toBe(reason);
    });

    const skip = abortsInFlight === true ? "" : ` [SKIPPED: ${abortsInFlight}]`;
    it.skipIf(skip !== "")(
      `rejects with the reason of a signal that fires later${skip}`,
      async () => {
        await using subject = await open();
        const reason = new Error("enough");
        const controller = new AbortController();
        const { signal } = controller;
        const request = { query: questions[0], passages: shelf, k: 5 };
        const call = subject.reranker.doRerank(request, { signal });
        controller.abort(reason);
        await expect(call).rejects.toBe(reason);
      },
    );
  });
}
