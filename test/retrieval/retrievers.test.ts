import { join } from "node:path";
import { embedder } from "espalier/lm";
import { serveRehearsal } from "@espalier/rehearsal";
import { bm25Index, denseIndex, hybrid } from "espalier/retrieval";
import { temporaryFolder } from "../support/temporary-folder.ts";
import type { RetrieverSubject } from "./retriever.contract.ts";
import { retrieverContract } from "./retriever.contract.ts";
import { shelf } from "./shelf.ts";

/** Closes what was opened, last first, with the subject. */
async function subject(
  open: (stack: AsyncDisposableStack) => Promise<RetrieverSubject["retriever"]>,
): Promise<RetrieverSubject> {
  const stack = new AsyncDisposableStack();
  const retriever = await open(stack);
  return { retriever, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

async function openDense(stack: AsyncDisposableStack, path = ":memory:") {
  const server = stack.use(await serveRehearsal());
  const model = embedder({ baseUrl: `${server.url}/v1`, model: "rehearsal" });
  return stack.use(await denseIndex({ path, corpus: shelf, embedder: model }));
}

const synchronous = "the search is one synchronous step, which nothing can interrupt";
const alwaysNear = "to a vector, some passage is always nearest";

retrieverContract(
  "a BM25 index in memory",
  () => subject(async (stack) => stack.use(await bm25Index({ corpus: shelf }))),
  { abortsInFlight: synchronous },
);

retrieverContract(
  "a BM25 index in a file, opened again without its corpus",
  () =>
    subject(async (stack) => {
      const path = join(stack.use(await temporaryFolder()).path, "index.sqlite");
      await (await bm25Index({ path, corpus: shelf }))[Symbol.asyncDispose]();
      return stack.use(await bm25Index({ path }));
    }),
  { abortsInFlight: synchronous },
);

retrieverContract("a dense index", () => subject(openDense), { unknownWords: alwaysNear });

retrieverContract(
  "BM25 and a dense index in one file, fused",
  () =>
    subject(async (stack) => {
      const path = join(stack.use(await temporaryFolder()).path, "index.sqlite");
      const bm25 = stack.use(await bm25Index({ path, corpus: shelf }));
      const dense = await openDense(stack, path);
      return hybrid({ retrievers: [bm25, dense], weights: [2, 1] });
    }),
  { unknownWords: alwaysNear },
);
