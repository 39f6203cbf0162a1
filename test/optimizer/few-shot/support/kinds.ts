import { createHash } from "node:crypto";
import type { Example, LanguageModel, LmRequest, Study } from "espalier";
import { predict, program, signature, study, text, textOfContent } from "espalier";
import { metric, scored } from "espalier/metric";
import { trainset } from "espalier/trainset";

const kinds = ["fish", "bird", "tree", "rock"] as const;

/** Named like no output, so that demonstrations are of runs where a study gives no gold. */
interface Labels {
  readonly right: string;
}
interface Input {
  readonly question: string;
}

const read = signature({
  name: "read-question",
  instruction: "Note what the question is about.",
  input: { question: text("question", "What is asked.") },
  output: { note: text("notes", "What it is about.") },
});
const answer = signature({
  name: "answer-question",
  instruction: "Answer the question.",
  input: { question: text("question", "What is asked."), note: text("notes", "A note.") },
  output: { answer: text("answer", "The answer.") },
});

const answerer = program({
  name: "kinds",
  version: "1",
  input: { question: text("question") },
  output: { answer: text("answer") },
  predictors: { read: predict(read), answer: predict(answer) },
  forward: async ({ question }, { predictors }) => {
    const { note } = await predictors.read({ question });
    return predictors.answer({ question, note });
  },
});

/** What is right for a question: a secret word of its kind, and its number. */
function rightAnswer(kind: string, number: number): string {
  return `${kind}-${createHash("sha256").update(kind).digest("hex").slice(0, 6)}-${number}`;
}

function examplesOf(from: number, count: number): readonly Example<Input, Labels>[] {
  return Array.from({ length: count }, (_, index) => {
    const number = from + index;
    const kind = kinds[number % kinds.length] ?? "";
    return {
      id: `q${number}`,
      input: { question: `What of the ${kind} number ${number}?` },
      labels: { right: rightAnswer(kind, number) },
    };
  });
}

const isRight = metric<Input, { readonly answer: string }, Labels>({
  name: "is-right",
  version: "1",
  score: ({ example, output }) => scored(Number(output.answer === example.labels.right)),
});

/**
 * Questions of four kinds, in two steps. `kindsLm` knows the answers to one question in five by
 * itself, and to every question of a kind of which it is shown a right answer.
 */
export const kindsStudy: Study<Input, { readonly answer: string }, Labels> = study({
  name: "kinds",
  program: answerer,
  trainset: trainset({
    name: "kinds",
    version: "1",
    licence: "CC0-1.0",
    source: "generated",
    splits: { train: examplesOf(0, 20), val: examplesOf(100, 20), test: examplesOf(200, 40) },
  }),
  objective: isRight,
});

/** The share of questions that are answered without any demonstration. */
export const shareKnown = 1 / 5;

/** A mock that answers from the demonstrations in its prompt alone. */
export const kindsLm: LanguageModel = {
  identity: { provider: "test", model: "kinds" },
  doGenerate: async (request) => ({
    content: contentOf(request),
    reasoning: null,
    finishReason: "stop",
    usage: {
      promptTokens: request.messages.reduce((sum, { content }) => sum + content.length, 0),
      completionTokens: 10,
      cachedPromptTokens: null,
      reasoningTokens: null,
    },
    model: "kinds",
    latencyMs: 0,
    source: "server",
  }),
};

function contentOf({ messages, responseSchema, sampling }: LmRequest): string {
  const shown = messages.slice(0, -1).map(({ content }) => textOfContent(content));
  const { kind, number } = askedIn(messages);
  if (responseSchema?.schema["properties"] !== undefined && "note" in properties(responseSchema)) {
    return JSON.stringify({ note: `About ${kind}.` });
  }
  // A right answer to another question of the kind reveals the kind's word.
  const secret = rightAnswer(kind, 0).slice(0, -1);
  const isShown = demonstrated(shown.join("\n")).some(
    ([of, said]) => of === kind && said.startsWith(secret),
  );
  const isKnown = number % 5 === 0 || (sampling.temperature > 0 && number % 5 === 1);
  return isShown || isKnown ? rightReply(messages) : unknownReply;
}

/** What `kindsLm` says where it does not know the answer. */
export const unknownReply = JSON.stringify({ answer: "unknown" });

/** The right answer to what is asked, whatever was shown. */
export function rightReply(messages: LmRequest["messages"]): string {
  const { kind, number } = askedIn(messages);
  return JSON.stringify({ answer: rightAnswer(kind, number) });
}

function askedIn(messages: LmRequest["messages"]): {
  readonly kind: string;
  readonly number: number;
} {
  const asked = textOfContent(messages.at(-1)?.content ?? "");
  const [, kind = "", digits = ""] = /What of the (\w+) number (\d+)\?/.exec(asked) ?? [];
  return { kind, number: Number(digits) };
}

function properties({ schema }: NonNullable<LmRequest["responseSchema"]>): object {
  return schema["properties"] as object;
}

/** Pairs of a shown question's kind and the answer that follows it. */
function demonstrated(prompt: string): readonly (readonly [string, string])[] {
  const found = prompt.matchAll(/What of the (\w+) number \d+\?|"answer": ?"([^"]+)"/g);
  const pairs: (readonly [string, string])[] = [];
  let kind = "";
  for (const [, of, said] of found) {
    if (of !== undefined) kind = of;
    else if (said !== undefined) pairs.push([kind, said]);
  }
  return pairs;
}
