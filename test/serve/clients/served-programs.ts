import { agent, image, predict, program, rankedPassages, signature, text, tool } from "espalier";
import type { ChatServer, ChatServerOptions } from "espalier/serve";
import { chatModel, chatServer, serving } from "espalier/serve";
import { z } from "zod";
import { dataUrl, plainPng } from "../../support/png.ts";
import { declared } from "../served.ts";
import type { Reply, UpstreamRequest } from "../upstream.ts";
import { answering, calling, replying, upstream } from "../upstream.ts";

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

const question = { question: text("question") };
const answer = { answer: text("answer") };

/** An agent with a tool of its own, which takes those of its client. */
export const reporter = program({
  name: "reporter",
  version: "1",
  input: question,
  output: answer,
  predictors: {
    reporter: agent({
      signature: signature({
        name: "report",
        instruction: "Answer the question.",
        input: question,
        output: answer,
      }),
      tools: [
        tool({
          name: "towns",
          description: "Lists the towns at a river.",
          input: { river: z.string() },
          run: () => "Ostrel, Vessen",
        }),
      ],
      maxSteps: 4,
      clientTools: true,
    }),
  },
  forward: async (given, { predictors, step }) => {
    step("Asking around");
    return predictors.reporter(given, { stream: "answer" });
  },
});

const signReader = program({
  name: "signs",
  version: "1",
  input: { ...question, sign: image() },
  output: answer,
  predictors: {
    read: predict(
      signature({
        name: "read",
        instruction: "Say what the sign shows.",
        input: { ...question, sign: image() },
        output: answer,
      }),
    ),
  },
  forward: async (given, { predictors }) => predictors.read(given),
});

export const modelIds = [
  "towns/answerer",
  "at-once",
  "invoices",
  "comparer",
  "reporter",
  "signs",
] as const;

export const redSign = dataUrl(plainPng([200, 0, 0]));

/** What the client's tool `weather` says of a town. */
export const weatherIn: Readonly<Record<string, string>> = { Ostrel: "rain", Vessen: "sun" };

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
  /** @throws Error before the first */
  readonly lastRequest: () => UpstreamRequest;
}

/** What the LM does with a request, which shows whether it got what a client sent. */
function replyTo({ messages, tools = [], tool_choice: choice }: UpstreamRequest): Reply {
  const shown = JSON.stringify(messages);
  if (tools.length > 0) {
    const results = messages.flatMap(({ role, content }) => (role === "tool" ? [content] : []));
    const towns = Object.keys(weatherIn).filter((town) => shown.includes(town));
    if (towns.length === 0) return calling([["towns", { river: "Anser" }]]);
    const mayAsk = choice !== "none" && tools.some((each) => each.function.name === "weather");
    if (!mayAsk) return answering(`I know of ${towns.join(" and ")} alone.`);
    const known = results.filter((result) => Object.values(weatherIn).includes(result));
    if (known.length > 0) return answering(`There is ${known.join(" and ")}.`);
    return calling(towns.map((town) => ["weather", { town }] as const));
  }
  if (shown.includes("the sign shows")) {
    return answering(shown.includes(redSign) ? "A red sign." : "I see none.");
  }
  if (shown.includes("invoice")) return replying(JSON.stringify(extracted));
  return answering(
    shown.includes("It is a town.") ? "As I said, a town [1]." : "There, at the river [1].",
  );
}

/** The models of `declared`, and others whose chat follows from their fields. */
export async function servedPrograms(
  options: Partial<ChatServerOptions> = {},
): Promise<ServedPrograms> {
  const lm = await upstream((response, request) => replyTo(request)(response, request));
  const models = [
    ...declared.models,
    chatModel({ id: "invoices", program: extractor }),
    chatModel({ id: "comparer", program: comparer }),
    chatModel({ id: "reporter", program: reporter }),
    chatModel({ id: "signs", program: signReader }),
  ];
  const server = await chatServer({
    serving: serving({ name: "towns", models }),
    lm: lm.lm,
    drainMs: 200,
    ...options,
  });
  return {
    server,
    lmCalls: () => lm.requests.length,
    lastRequest: () => {
      const last = lm.requests.at(-1);
      if (last === undefined) throw new Error("The LM was not asked.");
      return last;
    },
    [Symbol.asyncDispose]: async () => {
      await server.stop();
      await lm[Symbol.asyncDispose]();
    },
  };
}
