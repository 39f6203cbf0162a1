import { join } from "node:path";
import { embedder } from "../../../src/lm/index.ts";
import { lanceIndex } from "../src/index.ts";
import { serveRehearsal } from "@espalier/rehearsal";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { RetrieverSubject } from "../../../test/retrieval/retriever.contract.ts";
import { retrieverContract } from "../../../test/retrieval/retriever.contract.ts";
import { shelf } from "../../../test/retrieval/shelf.ts";

const alwaysNear = "to a vector, some passage is always nearest";

async function open(
  by: "keyword" | "dense" | "hybrid",
  isReopened = false,
): Promise<RetrieverSubject> {
  const stack = new AsyncDisposableStack();
  const place = { uri: join(stack.use(await temporaryFolder()).path, "lance") };
  if (by !== "keyword") {
    const models = stack.use(await serveRehearsal());
    Object.assign(place, {
      embedder: embedder({ baseUrl: `${models.url}/v1`, model: "rehearsal" }),
    });
  }
  if (isReopened) await (await lanceIndex({ ...place, corpus: shelf }))[Symbol.asyncDispose]();
  const index = stack.use(await lanceIndex(isReopened ? place : { ...place, corpus: shelf }));
  const retriever = by === "hybrid" ? index : index[by];
  if (retriever === undefined) throw new Error(`There is no ${by} retriever.`);
  return { retriever, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

retrieverContract("a keyword index in LanceDB", () => open("keyword"));
retrieverContract("a dense index in LanceDB", () => open("dense"), { unknownWords: alwaysNear });
retrieverContract(
  "a hybrid index in LanceDB, opened again without its corpus",
  () => open("hybrid", true),
  { unknownWords: alwaysNear },
);
