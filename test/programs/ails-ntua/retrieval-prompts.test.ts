import { textOfContent } from "espalier";
import { describe, expect, it } from "vitest";
import { retrievalModules } from "../../../programs/ails-ntua/retrieval/index.ts";

const question = "And when was it finished?";
const history = [
  { speaker: "user", text: "Does Ostrel have a bridge?" },
  { speaker: "assistant", text: "Yes, an iron footbridge over the river." },
] as const;
const { predictors } = retrievalModules();

// A change of a golden file is a change of behaviour: review it as one.
describe("rendered prompts of the rewriters", () => {
  it.each(Object.keys(predictors) as (keyof typeof predictors)[])(
    "of %s are as reviewed",
    async (name) => {
      const messages = predictors[name].render({ question, history });
      const shown = messages.map(
        ({ role, content }) => `===== ${role}\n${textOfContent(content)}\n`,
      );
      await expect(shown.join("\n")).toMatchFileSnapshot(`golden/${name}.txt`);
    },
  );
});

// Table 29 and appendix B.13 of the paper: what each must preserve or bring.
describe("the instruction of a rewriter", () => {
  it.each<[keyof typeof predictors, readonly RegExp[]]>([
    ["rewriteMinimally", [/do not add terms/, /return it unchanged/, /what the assistant said/]],
    ["rewriteForEncyclopedia", [/formal and a common name/, /Word times/, /question word/]],
    ["rewriteForFinanceForum", [/amounts/, /currencies/, /ticker/, /time horizons/]],
    ["rewriteForAgencyPages", [/programs/, /acronyms of agencies/, /forms/, /places/]],
    ["rewriteForCloudDocumentation", [/error codes/, /flags/, /configuration keys/, /services/]],
    ["rewriteStepByStep", [/Analyse/, /Decide/, /Rewrite/]],
    ["writeHypotheticalPassage", [/two to four sentences/, /vocabulary of a reliable source/]],
    ["rewriteWithKeywords", [/At most 8/, /At most 12/, /28 words/, /Invent no name/]],
  ])("of %s holds the paper's points", (name, points) => {
    for (const point of points) expect(predictors[name].instruction).toMatch(point);
  });
});
