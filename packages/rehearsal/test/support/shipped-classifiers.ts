import type { FieldSchemas, RankedPassage, Signature } from "../../../../src/index.ts";
import { signature } from "../../../../src/index.ts";
import { bm25Index, corpus } from "../../../../src/retrieval/index.ts";
import { z } from "zod";
import { classifyAnswerability } from "../../../../signatures/classify-answerability.ts";
import { judgeAnswerability } from "../../../../signatures/judge-answerability.ts";
import { judgeComplexity } from "../../../../signatures/judge-complexity.ts";
import { judgeRelevance } from "../../../../signatures/judge-relevance.ts";
import { routeQuestion } from "../../../../signatures/route-question.ts";
import { fourShelves, fourShelvesPassages } from "../../../../trainsets/four-shelves/index.ts";
import { fourShelvesQuestions } from "../../../../trainsets/four-shelves/questions.ts";

/** A case and the label that it should have. */
export interface Labelled {
  readonly input: object;
  readonly label: string;
}

/**
 * A shipped signature that gives a label, and the same with other words for all that is said of the
 * labels.
 */
export interface ShippedClassifier {
  readonly signature: Signature<FieldSchemas, FieldSchemas>;
  readonly output: string;
  readonly labels: readonly string[];
  /** The labels' other names; truth values have none, and keep theirs. */
  readonly renamed: readonly string[];
  /** Instruction with the other names, in words that the shipped one does not use. */
  readonly reworded: string;
  readonly cases: readonly Labelled[];
}

const neutral = ["alpha", "beta", "gamma", "delta"];
const truths = ["true", "false"];

/** The classifiers of the four systems, with cases of the four shelves. */
export async function shippedClassifiers(): Promise<readonly ShippedClassifier[]> {
  const questions = Object.values((await fourShelvesQuestions()).splits).flat();
  const passages = await fourShelvesPassages();
  const byId = new Map(passages.map((passage) => [passage.id, passage]));
  await using index = await bm25Index({ path: ":memory:", corpus: corpus(passages) });
  const found = (query: string, k: number): Promise<readonly RankedPassage[]> =>
    index.doRetrieve({ query, k }, {});

  const { val } = (await fourShelves()).splits;
  const turns = await Promise.all(
    val
      .filter(({ labels }) => labels.answerability !== "UNDERSPECIFIED")
      .slice(0, 80)
      .map(async ({ input, labels }) => ({
        label: labels.answerability,
        input: {
          question: labels.standalone ?? input.question,
          history: input.history,
          passages: await found(labels.standalone ?? input.question, 5),
        },
      })),
  );
  const withoutHistory = turns.map(({ input: { question, passages: shown }, label }) => ({
    input: { question, passages: shown },
    label,
  }));
  const relevance = await Promise.all(
    questions
      .flatMap(({ labels }) => labels.decomposition)
      .slice(0, 60)
      .flatMap(({ question, passageId }) => [
        { question, id: passageId, label: "true" },
        { question, id: undefined, label: "false" },
      ])
      .map(async ({ question, id, label }) => {
        const gold = id === undefined ? undefined : byId.get(id);
        const passage = gold ?? (await found(question, 10)).at(-1);
        return { label, input: { question, passage: `${passage?.title}\n${passage?.text}` } };
      }),
  );
  const answerability = {
    output: "label",
    labels: ["ANSWERABLE", "PARTIAL", "UNANSWERABLE"],
    renamed: neutral.slice(0, 3),
    reworded: `Sort the case by what the excerpts cover.
alpha: the excerpts cover the whole request.
beta: the excerpts cover a slice of the request; another slice is nowhere to be seen.
gamma: the excerpts cover no slice of the request.`,
  };
  return [
    {
      signature: routeQuestion,
      output: "route",
      labels: ["straightforward", "single-step", "compound", "complex"],
      renamed: neutral,
      reworded: `Sort the question by the effort behind a reply.
alpha: everybody knows this already; no document is needed for a reply.
beta: a lone detail is wanted, and a lone lookup in the collection turns it up.
gamma: details about the same subject are wanted at once, and each lookup stands on its own feet.
delta: an intermediate thing is merely hinted at, and must be identified first.`,
      cases: questions.map(({ input, labels }) => ({ input, label: labels.route })),
    },
    {
      signature: judgeComplexity,
      output: "isComplex",
      labels: truths,
      renamed: truths,
      reworded: `Say true for whatever keeps a librarian busy, and false for whatever is settled by opening one book.`,
      cases: questions.map(({ input, labels }) => ({
        input,
        label: String(labels.route === "compound" || labels.route === "complex"),
      })),
    },
    { signature: classifyAnswerability, ...answerability, cases: withoutHistory },
    { signature: judgeAnswerability, ...answerability, cases: turns },
    {
      signature: judgeRelevance,
      output: "isRelevant",
      labels: truths,
      renamed: truths,
      reworded: `Say true where a clerk would file the excerpt under the request, and false where it goes into the bin.`,
      cases: relevance,
    },
  ];
}

/** How labels are called and what is said of them. */
export type Wording = "shipped" | "renamed" | "reworded";

/**
 * The signature in another wording; fields and their order stay, their descriptions go with the
 * wording.
 */
export function inWording(
  { signature: { name, instruction, input, output: fields }, ...classifier }: ShippedClassifier,
  wording: Wording,
): { readonly worded: Signature<FieldSchemas, FieldSchemas>; readonly names: readonly string[] } {
  const { output, labels, renamed, reworded } = classifier;
  const names = wording === "shipped" ? labels : renamed;
  const said =
    wording === "reworded"
      ? reworded
      : labels.reduce(
          (text, label, index) =>
            text.replaceAll(new RegExp(`\\b${label}\\b`, "g"), names[index] ?? ""),
          instruction,
        );
  const type = labels === truths ? z.boolean() : z.enum(names as [string, ...string[]]);
  const shipped = fields[output] ?? type;
  const about =
    wording === "reworded" ? "How the case is sorted." : ((shipped as z.ZodType).description ?? "");
  const field = wording === "shipped" ? shipped : type.describe(about);
  return {
    names,
    worded: signature({ name, instruction: said, input, output: { [output]: field } }),
  };
}
