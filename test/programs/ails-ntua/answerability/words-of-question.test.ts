import { describe, expect, it } from "vitest";
import { keywordOverlap } from "../../../../programs/ails-ntua/answerability/keyword-overlap.ts";
import { newEntities } from "../../../../programs/ails-ntua/answerability/new-entities.ts";

describe("names that are new", () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ["And Larkfeld bought it?", ["The town of Ostrel."], ["Larkfeld"]],
    ["And Larkfeld bought it?", ["LARKFELD's mill"], []],
    ["Larkfeld bought it?", [], []],
    ["Is NASA behind it?", [], []],
    ["So Al was there?", [], []],
    ["So Ann's was there, and Ann too?", [], ["Anns", "Ann"]],
    ["Was Éva there?", ["nobody"], ["Éva"]],
    ["was it there?", [], []],
  ])("in %j beside %j are %j", (question, known, names) => {
    expect(newEntities(question, known)).toEqual(names);
  });
});

// Expected values are what the authors' expression gives in Python 3.
describe("overlap of keywords", () => {
  it.each<[string, string, number | null]>([
    // was, iron, bridge, ostrel, 1902
    ["Was the iron bridge of Ostrel 1902?", "Ostrel built bridges", 0.4],
    ["Was it in 17?", "17", 0],
    ["is it so?", "it is so", null],
    // The capital ends the word at the umlaut: "br" is too short.
    ["Und die Brücke?", "die BRÜCKE", 0],
    ["war brücken da?", "die BRÜCKEN", 1],
  ])("of %j with %j is %j", (question, text, share) => {
    expect(keywordOverlap(question, [text])).toBe(share);
  });
});
