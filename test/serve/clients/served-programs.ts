import { predict, program, rankedPassages, signature, text } from "espalier";
import type { ChatServer } from "espalier/serve";
import { chatModel, chatServer, serving } from "espalier/serve";
import { z } from "zod";
import { replying, upstream } from "../upstream.ts";
import { declared } from "../served.ts";

const invoice = {
  vendor: text("vendor"),
  total: z.number().min(0),
  items: z.array(z.object({ name: z.string(), count: z.int() })),
  note: z.string().optional(),
};

/** The only text is the message, and there is no text to answer with: the output is JSON. */
const extractor = program({
  name: "invoices",
  version: "1",
  input: { document: text("document") },
  output: invoice,
  predictors: {
    extract: predict(
      signature({
        name: "extract",
        instruction: "Extract the invoice.",
        input: { document: text("document") },
        output: invoice,
      }),
    ),
  },
  forward: async (given, { predictors, step }) => {
    step("Reading the document");
    step("Writing the invoice");
    return predictors.extract(given, { stream: true });
  },
});

/** Two texts: the message has to be JSON. */
const comparer = program({
  name: "comparer",
  version: "1",
  input: { one: text("one"), other: text("other") },
  output: { answer: text("answer"), passages: rankedPassages() },
  predictors: {},
  forward: async ({ one, other }) => ({
    answer:
      String(one) === String(other)
        ? text("answer").parse("Equal [1].")
        : text("answer").parse("Unequal [1]."),
    passages: [
      {
        id: "p1",
        title: "Ostrel",
        text: "A town.",
        score: 1,
        metadata: { url: "https://a.example/1" },
      },
    ],
  }),
});

export const extracted = {
  vendor: "Mill & Sons",
  total: 12.5,
  items: [{ name: "flour", count: 2 }],
  note: null,
};

export interface ServedPrograms extends AsyncDisposable {
  readonly server: ChatServer;
  /** Requests that the LM's server got. */
  readonly lmCalls: () => number;
}

/** The models of `declared`, and two whose chat follows from their fields. */
export async function servedPrograms(): Promise<ServedPrograms> {
  const lm = await upstream((response, request) => {
    const isExtract = request.messages.some(({ content }) => content.includes("invoice"));
    const reply = isExtract ? extracted : { answer: "There, at the river [1]." };
    return replying(JSON.stringify(reply))(response, request);
  });
  const models = [
    ...declared.models,
    chatModel({ id: "invoices", program: extractor }),
    chatModel({ id: "comparer", program: comparer }),
  ];
  const server = await chatServer({
    serving: serving({ name: "towns", models }),
    lm: lm.lm,
    drainMs: 200,
  });
  return {
    server,
    lmCalls: () => lm.requests.length,
    [Symbol.asyncDispose]: async () => {
      await server.stop();
      await lm[Symbol.asyncDispose]();
    },
  };
}
