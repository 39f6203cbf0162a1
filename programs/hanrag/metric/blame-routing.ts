import type { Blame } from "espalier";
import type { QuestionRoute } from "../../../signatures/index.ts";
import type { HanragLabels, HanragOutput } from "./labels.ts";
import type { HanragRun } from "./read-run.ts";

/** Blames the router for the kind of question, if the right one is known. */
export function blameRouting(
  run: HanragRun,
  { route: right, decomposition = [] }: HanragLabels,
  { route: taken }: HanragOutput,
): readonly Blame[] {
  if (right === undefined || !run.hasCalled("routeQuestion")) return [];
  if (right === taken) {
    return [{ path: "routeQuestion", score: 1, text: `Right: the question is ${right}.` }];
  }
  const asked = decomposition.map(({ question }) => `"${question}"`).join(", ");
  return [
    {
      path: "routeQuestion",
      score: 0,
      text: [
        `The question is ${right}, but was taken for ${taken}. ${reasons[right]}`,
        ...(asked === "" ? [] : [`What has to be found out: ${asked}.`]),
      ].join(" "),
    },
  ];
}

const reasons: Readonly<Record<QuestionRoute, string>> = {
  straightforward: "Common knowledge answers it, and nothing has to be looked up.",
  "single-step": "One search finds the one fact that it asks for.",
  compound: "It asks for several facts, and none of them is needed to look up another.",
  complex: "What is to be looked up next depends on an answer that has to be found first.",
};
