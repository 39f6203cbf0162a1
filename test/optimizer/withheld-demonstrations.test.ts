import { describe, expect, it } from "vitest";
import { textOfContent } from "espalier";
import { rehearsalEmbedder } from "@espalier/rehearsal";
import type { Optimizer } from "espalier/optimizer";
import { bootstrapFewShot, inTurn, miproV2, optimize } from "espalier/optimizer";
import { kindsStudy } from "./few-shot/support/kinds.ts";
import { writingKindsLm } from "./few-shot/support/writing-kinds-lm.ts";

/** Questions 0 and 10 are related, and so on. */
const clusterOf = (number: number): number => number % 10;

/** Train selects, too, so that every demonstration meets its own example and a relation of it. */
const { splits, ...rest } = kindsStudy.trainset;
const train = splits.train.map((example) => ({
  ...example,
  cluster: `c${clusterOf(Number(example.id.slice(1)))}`,
}));
const related = {
  ...kindsStudy,
  program: kindsStudy.program.withEmbedder(rehearsalEmbedder()),
  trainset: { ...rest, splits: { ...splits, train, val: train } },
};

describe("a demonstration is shown to no example of its own cluster", () => {
  it.each<[string, Optimizer]>([
    ["bootstrapFewShot()", bootstrapFewShot({ trials: 8 })],
    ["bootstrapFewShot(), nearest by words", nearest("words")],
    ["bootstrapFewShot(), nearest by an embedder", nearest("embedder")],
    ["miproV2()", miproV2()],
    ["inTurn()", inTurn([bootstrapFewShot({ trials: 4 }), miproV2()])],
  ])("by %s", async (_, optimizer) => {
    const shown: (readonly [number, readonly number[]])[] = [];
    await optimize(related, {
      optimizer,
      budget: { metricCalls: 200, reflectionCalls: 10 },
      lm: {
        ...writingKindsLm,
        doGenerate: (request, options) => {
          // A prompt that asks for a text quotes examples of all kinds.
          const fields = Object.keys(request.responseSchema?.schema["properties"] ?? {});
          const questions = request.messages.flatMap(({ content }) =>
            [...textOfContent(content).matchAll(/What of the \w+ number (\d+)\?/g)].map(
              ([, digits]) => Number(digits),
            ),
          );
          const asked = questions.at(-1);
          if (asked !== undefined && fields.some((name) => name === "note" || name === "answer")) {
            shown.push([asked, questions.slice(0, -1)]);
          }
          return writingKindsLm.doGenerate(request, options);
        },
      },
    });
    expect(shown.filter(([, others]) => others.length > 0).length).toBeGreaterThan(20);
    const leaked = shown.filter(([asked, others]) =>
      others.some((other) => clusterOf(other) === clusterOf(asked)),
    );
    expect(leaked).toEqual([]);
  });
});

function nearest(by: "words" | "embedder"): Optimizer {
  return bootstrapFewShot({ trials: 8, maxBootstrapped: 1, nearest: { by, k: [1, 2] } });
}
