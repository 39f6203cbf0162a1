import type { TraceNode, Trace } from "espalier";
import { connectTokenizer, openAiCompatible, pairScorer } from "espalier/lm";
import { httpSearch, qwen3Reranker } from "espalier/retrieval";
import type { VanillaAgentParts } from "../../../programs/r2rag/index.ts";
import { pageRelevance } from "../../../programs/r2rag/index.ts";
import type { ReceivedSearch, SearchReply } from "../../support/search-server.ts";
import { searchServer } from "../../support/search-server.ts";
import type { Answer, ChatAnswer, ReceivedRequest } from "../../support/vllm-server.ts";
import { chat, chatPath, json, vllmServer } from "../../support/vllm-server.ts";

export type Step =
  | "judge-complexity"
  | "vary-query"
  | "review-documents"
  | "review-with-confidence"
  | "reformulate-query"
  | "write-cited-answer";

/** What a step replies: the fields, or text that is none, or a whole HTTP answer. */
export type StepReply = object | string | Answer;

export interface Script {
  /**
   * Each step's reply to its n-th request, from 1, corrections left out; `prompt` is the user's
   * message.
   */
  readonly steps?: Partial<Record<Step, (round: number, prompt: string) => StepReply>>;
  /** What a search finds. @default `page(query)` */
  readonly search?: (query: string, index: number) => SearchReply;
  /** @default the number in brackets in a document, as "(0.9)" */
  readonly score?: Answer;
  /** @default one token a word */
  readonly tokenize?: Answer;
}

export interface Town extends AsyncDisposable {
  readonly parts: VanillaAgentParts;
  readonly lm: ReturnType<typeof openAiCompatible>;
  /** The user's message of each first request of one step, in order. */
  prompts(step: Step): readonly string[];
  /** Every request body of one step. */
  bodies(step: Step): readonly ReceivedRequest["body"][];
  readonly searches: readonly ReceivedSearch[];
  readonly scored: readonly ReceivedRequest["body"][];
}

/** A language model, its tokenizer, a reranker and a search engine, each behind real HTTP. */
export async function town(script: Script = {}): Promise<Town> {
  const steps = { ...sensible, ...script.steps };
  const rounds = new Map<Step, number>();
  const model = await vllmServer({ model: "town" });
  model.always(chatPath, (request, response) => {
    const step = stepOf(request.body);
    const isFirst = request.body.messages.length === 2;
    rounds.set(step, (rounds.get(step) ?? 0) + (isFirst ? 1 : 0));
    const reply = steps[step](rounds.get(step) ?? 1, promptOf(request.body));
    if (typeof reply === "function") return (reply as Answer)(request, response);
    const content = typeof reply === "string" ? reply : JSON.stringify(reply);
    return chat({ content } satisfies ChatAnswer)(request, response);
  });
  model.always("/v1/score", script.score ?? scoreInBrackets);
  model.always("/tokenize", script.tokenize ?? wordTokens);
  const engine = await searchServer(({ parameters }, index) =>
    script.search === undefined
      ? [page(parameters["query"] ?? "")]
      : script.search(parameters["query"] ?? "", index),
  );
  const server = { baseUrl: model.baseUrl, model: "town" };
  const bodies = (step: Step) =>
    model.requests
      .filter(({ path, body }) => path === chatPath && stepOf(body) === step)
      .map(({ body }) => body);
  return {
    parts: {
      retriever: httpSearch({ url: engine.url, attempts: 1 }),
      reranker: qwen3Reranker({ scorer: pairScorer(server), instruction: pageRelevance }),
      tokenizer: connectTokenizer({ ...server, retry: { attempts: 1 } }),
    },
    lm: openAiCompatible(server),
    bodies,
    prompts: (step) =>
      bodies(step)
        .filter(({ messages }) => messages.length === 2)
        .map(promptOf),
    searches: engine.received,
    get scored() {
      return model.requests.filter(({ path }) => path === "/v1/score").map(({ body }) => body);
    },
    [Symbol.asyncDispose]: async () => {
      await engine[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
    },
  };
}

/** A document with its relevance in the text, and so many words. */
export function page(id: string, { score = 0.9, words = 10 } = {}) {
  const filler = Array.from({ length: Math.max(0, words - 2) }, (_, index) => `w${index + 1}`);
  return {
    id,
    text: [`(${score})`, "Told", ...filler].slice(0, words).join(" "),
    url: `https://${id.replaceAll(/\W+/g, "-")}.example/`,
    date: "2024-05-01",
  };
}

export const question = "When was the bridge finished?";
export const answered = "It was finished in 1902 [1].";

/** Every call that is no scope, in the order it started, by path. */
export function pathsOf({ children }: Pick<Trace, "children">): readonly string[] {
  return children.flatMap((node: TraceNode) =>
    node.kind === "scope" ? pathsOf(node) : [node.path],
  );
}

/** Numbers of the documents in a prompt. */
export function numbersIn(prompt: string): readonly number[] {
  return [...prompt.matchAll(/\[(\d+)\] https/g)].map(([, number]) => Number(number));
}

/** One number of a candidate. */
export const parameter = (path: string, value: number) =>
  ({ kind: "parameter", path, value }) as const;

/** A field of a prompt, up to its line's end. */
export function fieldIn(prompt: string, title: string): string | undefined {
  return new RegExp(`^${title}: (.*)$`, "m").exec(prompt)?.[1];
}

const sensible: Record<Step, (round: number, prompt: string) => StepReply> = {
  "judge-complexity": () => ({ isComplex: false }),
  "vary-query": (_, prompt) => {
    const query = fieldIn(prompt, "Query") ?? "";
    return { queries: [`${query} one`, `${query} two`] };
  },
  "review-documents": (round, prompt) => ({
    useful: numbersIn(prompt),
    summary: `Summary ${round}.`,
    isSufficient: true,
    newQuery: "",
  }),
  "review-with-confidence": (round, prompt) => ({
    useful: numbersIn(prompt),
    summary: `Summary ${round}.`,
    isSufficient: true,
    confidence: 1,
    newQuery: "more",
  }),
  "reformulate-query": (round) => ({ newQuery: `better ${round}` }),
  "write-cited-answer": () => ({ answer: answered }),
};

const scoreInBrackets: Answer = (request, response) => {
  const data = request.body.text_2.map((text: string, index: number) => ({
    index,
    score: Number(/\((\d*\.?\d+)\)/.exec(text)?.[1]),
  }));
  json({ data, usage: { prompt_tokens: 1 } })(request, response);
};

const wordTokens: Answer = (request, response) =>
  json({ count: request.body.prompt.match(/\S+/g)?.length ?? 0 })(request, response);

function stepOf(body: ReceivedRequest["body"]): Step {
  return body.response_format.json_schema.name;
}

function promptOf(body: ReceivedRequest["body"]): string {
  return body.messages[1].content;
}
