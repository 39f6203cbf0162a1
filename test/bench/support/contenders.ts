import { ai, ax } from "@ax-llm/ax";
import OpenAI from "openai";
import { z } from "zod";
import { predict, signature, text } from "espalier";
import { connect, ledger } from "espalier/lm";
import { thinAxService } from "./thin-ax-service.ts";

/** One way to make the same call: two texts in, a label and a text out. */
export type Contender = (index: number) => Promise<unknown>;

const passages =
  "[1] The tower\nThe tower was built in 1889 and is 330 metres tall, antennas included. ".repeat(
    8,
  );

const question = (index: number): string => `How tall is tower number ${index}?`;

/** A fetch and a `JSON.parse`: the lower bound for any client. */
export function rawFetch(url: string): Contender {
  return async (index) => {
    const response = await fetch(`${url}/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: "bench", messages: messages(index) }),
    });
    return response.json();
  };
}

/** The openai SDK with nothing around it. */
export function openaiSdk(url: string): Contender {
  const client = new OpenAI({ baseURL: url, apiKey: "none", maxRetries: 0 });
  return (index) => client.chat.completions.create({ model: "bench", messages: messages(index) });
}

/** AxGen on the thinnest possible service. */
export function axGenThin(url: string): Contender {
  const service = thinAxService(url, "bench");
  return axGen(service);
}

/** AxGen on ax's own vLLM client. */
export function axGenVllm(url: string): Contender {
  return axGen(
    ai({
      name: "openai-compatible",
      apiKey: "none",
      apiURL: url,
      config: { model: "bench", stream: false },
    } as never),
  );
}

/** A predictor with everything: prompt, client, retry, limit, disk cache, ledger, parse, trace. */
export function espalier(
  url: string,
  cachePath: string,
  inFlight: number,
): Contender & AsyncDisposable {
  const lm = connect({
    baseUrl: url,
    model: "bench",
    concurrency: inFlight,
    cachePath,
    ledger: ledger(),
  });
  const step = predict(
    signature({
      name: "answer",
      instruction,
      input: {
        question: text("question", "What is asked."),
        passages: text("passages", "Evidence."),
      },
      output: {
        label: z.enum(["answerable", "unanswerable"]).describe("Whether the passages answer."),
        answer: text("answer", "One sentence."),
      },
    }),
  );
  const call: Contender = (index) => step.run({ question: question(index), passages }, { lm });
  return Object.assign(call, { [Symbol.asyncDispose]: () => lm[Symbol.asyncDispose]() });
}

const instruction = "Answer the question from the passages, in one sentence.";

function axGen(service: Parameters<ReturnType<typeof ax>["forward"]>[0]): Contender {
  const step = ax(
    `"${instruction}" question:string "What is asked.", passages:string "Evidence." -> label:class "answerable, unanswerable" "Whether the passages answer.", answer:string "One sentence."`,
  );
  return async (index) => {
    const made = await step.forward(
      service as never,
      { question: question(index), passages },
      { stream: false },
    );
    if (made.answer !== "It is 330 metres tall.")
      throw new Error(`ax read ${JSON.stringify(made)}`);
    return made;
  };
}

function messages(index: number): { role: "system" | "user"; content: string }[] {
  return [
    { role: "system", content: instruction },
    { role: "user", content: `Question: ${question(index)}\n\nPassages: ${passages}` },
  ];
}
