import { describe, expect, it } from "vitest";
import type { Embedder, PairScorer, Reranker, TextModelOptions } from "espalier";
import type { Ledger, Limiter, RetryOptions, ServerOptions } from "espalier/lm";
import {
  aroundTextModel,
  connectEmbedder,
  connectPairScorer,
  connectReranker,
  embedder,
  pairScorer,
  reranker,
  countCalls,
  limitCalls,
  retryCalls,
} from "espalier/lm";
import { rehearsalEmbedder, rehearsalReranker, rehearsalScorer } from "@espalier/rehearsal";
import { serveRehearsal } from "@espalier/rehearsal";

type Server = ServerOptions & { readonly model: string };
interface Around {
  readonly retry?: RetryOptions;
  readonly concurrency?: number;
  readonly ledger?: Ledger;
}

/** One text model, whatever its contract: texts in; out comes what a caller sees, as plain data. */
export interface AnyTextModel {
  readonly identity: { readonly provider: string; readonly model: string };
  ask(
    texts: readonly string[],
    options?: TextModelOptions,
  ): Promise<{ readonly answer: unknown; readonly promptTokens: number | null }>;
}

/** A kind of text model with its client and its wrappers. */
export interface TextModelKind {
  readonly name: string;
  readonly path: string;
  readonly role: "embedding" | "reranking";
  /** What the rehearsal server must answer, computed without it. */
  readonly reference: AnyTextModel;
  client(server: Server): AnyTextModel;
  connect(options: Server & Around): AnyTextModel;
  retried(server: Server, options: RetryOptions): AnyTextModel;
  limited(server: Server, shared: Limiter): AnyTextModel;
  ledgered(server: Server, ledger: Ledger): AnyTextModel;
}

const query = "Where does the lighthouse stand?";

const ofEmbedder = (model: Embedder): AnyTextModel => ({
  identity: model.identity,
  ask: async (texts, options) => {
    const { vectors, usage } = await model.doEmbed(texts, options);
    return { answer: vectors.map((vector) => [...vector]), ...usage };
  },
});
const ofReranker = (model: Reranker): AnyTextModel => ({
  identity: model.identity,
  ask: async (documents, options) => {
    const { results, usage } = await model.doRerank({ query, documents }, options);
    return { answer: results, ...usage };
  },
});
const ofScorer = (model: PairScorer): AnyTextModel => ({
  identity: model.identity,
  ask: async (documents, options) => {
    const { scores, usage } = await model.doScore({ query, documents }, options);
    return { answer: scores, ...usage };
  },
});

export const textModelKinds: readonly TextModelKind[] = [
  {
    name: "an embedder",
    path: "/v1/embeddings",
    role: "embedding",
    reference: ofEmbedder(rehearsalEmbedder()),
    client: (server) => ofEmbedder(embedder(server)),
    connect: (options) => ofEmbedder(connectEmbedder(options)),
    retried: (server, options) =>
      ofEmbedder(aroundTextModel(embedder(server), retryCalls(options))),
    limited: (server, shared) => ofEmbedder(aroundTextModel(embedder(server), limitCalls(shared))),
    ledgered: (server, ledger) =>
      ofEmbedder(aroundTextModel(embedder(server), countCalls(ledger, "embedding"))),
  },
  {
    name: "a reranker",
    path: "/v1/rerank",
    role: "reranking",
    reference: ofReranker(rehearsalReranker()),
    client: (server) => ofReranker(reranker(server)),
    connect: (options) => ofReranker(connectReranker(options)),
    retried: (server, options) =>
      ofReranker(aroundTextModel(reranker(server), retryCalls(options))),
    limited: (server, shared) => ofReranker(aroundTextModel(reranker(server), limitCalls(shared))),
    ledgered: (server, ledger) =>
      ofReranker(aroundTextModel(reranker(server), countCalls(ledger, "reranking"))),
  },
  {
    name: "a pair scorer",
    path: "/v1/score",
    role: "reranking",
    reference: ofScorer(rehearsalScorer()),
    client: (server) => ofScorer(pairScorer(server)),
    connect: (options) => ofScorer(connectPairScorer(options)),
    retried: (server, options) =>
      ofScorer(aroundTextModel(pairScorer(server), retryCalls(options))),
    limited: (server, shared) => ofScorer(aroundTextModel(pairScorer(server), limitCalls(shared))),
    ledgered: (server, ledger) =>
      ofScorer(aroundTextModel(pairScorer(server), countCalls(ledger, "reranking"))),
  },
];

const texts = [
  "The lighthouse stands at the end of the north mole.",
  "Iron footbridge over the river.",
  "Where the old lighthouse stood, a café stands now: 灯台.",
];

/** What holds of every text model over the rehearsal server, whatever is wrapped around it. */
export function textModelContract(
  name: string,
  { reference }: TextModelKind,
  make: (server: Server) => AnyTextModel,
): void {
  const open = async () => {
    const server = await serveRehearsal();
    const calls = (): number => server.calls().total;
    const model = make({ baseUrl: `${server.url}/v1`, model: "rehearsal" });
    return { model, calls, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
  };

  describe(`${name} keeps the contract of a text model`, () => {
    it("answers as its model does, in the order sent, and says what it read", async () => {
      await using subject = await open();
      expect(await subject.model.ask(texts)).toEqual(await reference.ask(texts));
    });

    it("says who it is", async () => {
      await using subject = await open();
      expect(subject.model.identity).toEqual({ provider: "vllm", model: "rehearsal" });
    });

    it("asks no server for no texts", async () => {
      await using subject = await open();
      expect(await subject.model.ask([])).toEqual({ answer: [], promptTokens: 0 });
      expect(subject.calls()).toBe(0);
    });

    it("keeps calls at the same time apart", async () => {
      await using subject = await open();
      const many = Array.from({ length: 40 }, (_, index) => [`text ${index} of forty`]);
      const answers = await Promise.all(many.map((one) => subject.model.ask(one)));
      expect(answers).toEqual(await Promise.all(many.map((one) => reference.ask(one))));
    });

    it("rejects with the signal's reason and sends nothing when aborted before", async () => {
      await using subject = await open();
      const reason = new Error("enough");
      const call = subject.model.ask(texts, { signal: AbortSignal.abort(reason) });
      await expect(call).rejects.toBe(reason);
      expect(subject.calls()).toBe(0);
    });
  });
}
