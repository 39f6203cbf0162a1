import { expect, test } from "vitest";
import type { StandIn } from "../../src/stand-in/index.ts";
import { standInLabel } from "../../src/stand-in/index.ts";

const lm: StandIn = { part: "lm", provider: "rehearsal", model: "rehearsal" };
const embedder: StandIn = { part: "embedder", provider: "rehearsal", model: "rehearsal" };
const reranker: StandIn = { part: "reranker", provider: "espalier", model: "lexical" };

test("each text of the label says rehearsal, and is empty where no stand-in took part", () => {
  const label = standInLabel([lm]);
  for (const text of Object.values(label)) expect(text).toContain("rehearsal");
  expect(Object.values(standInLabel([]))).toEqual(Object.keys(label).map(() => ""));
});

test("the warning names every part that a stand-in played, and who played it", () => {
  expect(standInLabel([lm, embedder, reranker]).warning).toBe(
    "rehearsal: figures from the rehearsal LM show that the machinery works and say nothing about a real model; stand-ins play LM (rehearsal), embedder (rehearsal), reranker (lexical)",
  );
});

test("stand-ins beside a real LM make no rehearsal, and are named all the same", () => {
  const { name, opening, warning } = standInLabel([embedder, reranker]);
  expect(name).toBe("stand-ins");
  expect(opening).toBe("stand-ins play embedder (rehearsal), reranker (lexical)");
  expect(warning).toMatch(/^stand-ins play embedder \(rehearsal\), reranker \(lexical\)/);
  expect(warning).not.toContain("rehearsal LM");
});
