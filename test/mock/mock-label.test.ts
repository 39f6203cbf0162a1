import { expect, test } from "vitest";
import type { Mock } from "../../src/mock/index.ts";
import { mockLabel } from "../../src/mock/index.ts";

const lm: Mock = { part: "lm", provider: "rehearsal", model: "rehearsal" };
const embedder: Mock = { part: "embedder", provider: "rehearsal", model: "rehearsal" };
const reranker: Mock = { part: "reranker", provider: "espalier", model: "lexical" };

test("each text of the label says rehearsal, and is empty where no mock took part", () => {
  const label = mockLabel([lm]);
  for (const text of Object.values(label)) expect(text).toContain("rehearsal");
  expect(Object.values(mockLabel([]))).toEqual(Object.keys(label).map(() => ""));
});

test("the warning names every part that a mock played, and who played it", () => {
  expect(mockLabel([lm, embedder, reranker]).warning).toBe(
    "rehearsal: figures from the rehearsal LM show that the machinery works and say nothing about a real model; mocks play LM (rehearsal), embedder (rehearsal), reranker (lexical)",
  );
});

test("mocks beside a real LM make no rehearsal, and are named all the same", () => {
  const { name, opening, warning } = mockLabel([embedder, reranker]);
  expect(name).toBe("mocks");
  expect(opening).toBe("mocks play embedder (rehearsal), reranker (lexical)");
  expect(warning).toMatch(/^mocks play embedder \(rehearsal\), reranker \(lexical\)/);
  expect(warning).not.toContain("rehearsal LM");
});
