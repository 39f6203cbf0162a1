import { expect, it } from "vitest";
import { stem } from "../../src/text/index.ts";

// The examples of Porter's paper, after all steps (Program 14(3), 1980, and the author's
// vocabulary).
const published: Readonly<Record<string, string>> = {
  caresses: "caress",
  ponies: "poni",
  cats: "cat",
  agreed: "agre",
  plastered: "plaster",
  motoring: "motor",
  conflated: "conflat",
  hopping: "hop",
  falling: "fall",
  filing: "file",
  happy: "happi",
  sky: "sky",
  relational: "relat",
  conditional: "condit",
  vietnamization: "vietnam",
  operator: "oper",
  hopefulness: "hope",
  triplicate: "triplic",
  electrical: "electr",
  goodness: "good",
  revival: "reviv",
  allowance: "allow",
  adjustable: "adjust",
  replacement: "replac",
  adoption: "adopt",
  probate: "probat",
  rate: "rate",
  cease: "ceas",
  controlling: "control",
  roll: "roll",
};

it("stems as Porter's algorithm does", () => {
  const stems = Object.fromEntries(Object.keys(published).map((word) => [word, stem(word)]));

  expect(stems).toEqual(published);
});

it("leaves words of other alphabets and words with digits alone", () => {
  expect(["vp7", "straße", "файлы"].map(stem)).toEqual(["vp7", "straße", "файлы"]);
});
