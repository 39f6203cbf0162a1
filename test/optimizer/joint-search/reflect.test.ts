import { study } from "espalier";
import { rehearsalLm } from "@espalier/rehearsal";
import { metric, scored } from "espalier/metric";
import type { Proposer } from "espalier/optimizer";
import { jointSearch, optimize } from "espalier/optimizer";
import { expect, it } from "vitest";
import { placeStudy, placeTrainset } from "../support/place-search.ts";

/** Failing examples in each request for a text, where feedback takes about so many tokens. */
async function shownWith(tokens: number): Promise<readonly number[]> {
  const shown: number[] = [];
  const proposer: Proposer = {
    name: "counting",
    asksReflection: false,
    propose: async (requests) => {
      for (const { cases } of requests) {
        shown.push(new Set(cases.map(({ exampleId }) => exampleId)).size);
      }
      return requests.map(() => ({
        ok: true,
        text: `Write a query about place ${shown.length}.`,
      }));
    },
  };
  const failing = metric({
    name: "failing",
    version: "1",
    score: () => scored(0.5, "abc".repeat(tokens)),
  });
  await optimize(
    study({ ...placeStudy, trainset: placeTrainset, objective: failing, name: "failing" }),
    {
      optimizer: jointSearch({ reflection: { proposer, checks: [] } }),
      budget: { metricCalls: 80 },
      lm: rehearsalLm(),
    },
  );
  return shown;
}

it("shows as many failing runs as can be shown uncut", async () => {
  const short = await shownWith(10);
  expect(short.length).toBeGreaterThan(2);
  expect(Math.max(...short)).toBe(8);
  const long = await shownWith(3_000);
  expect(long.length).toBeGreaterThan(2);
  expect(Math.max(...long)).toBe(3);
});
