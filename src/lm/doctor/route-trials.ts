import type { JsonObject } from "../../contract/index.ts";
import { property } from "../client/property.ts";
import type { Finding } from "./server-examination.ts";
import type { TrialServer } from "./trial-server.ts";
import { supported, unsupported } from "./trial-server.ts";

export async function tryTokenize(server: TrialServer, model: string): Promise<Finding> {
  const reply = await server.post("//tokenize", { model, prompt: "one two three" });
  const count = property(reply, "count");
  return typeof count === "number"
    ? supported(`counts ${count} tokens in three words`)
    : wrongShape();
}

export async function tryEmbeddings(server: TrialServer, model: string): Promise<Finding> {
  const reply = await server.post("/embeddings", { model, input: "one", encoding_format: "float" });
  const vector = property(first(property(reply, "data")), "embedding");
  return Array.isArray(vector) ? supported(`vectors of ${vector.length} numbers`) : wrongShape();
}

export async function tryRerank(server: TrialServer, model: string): Promise<Finding> {
  const reply = await server.post("/rerank", { model, ...pair("query", "documents") });
  const score = property(first(property(reply, "results")), "relevance_score");
  return typeof score === "number" ? supported("orders two documents") : wrongShape();
}

export async function tryScore(server: TrialServer, model: string): Promise<Finding> {
  const reply = await server.post("//score", { model, ...pair("text_1", "text_2") });
  const score = property(first(property(reply, "data")), "score");
  return typeof score === "number" ? supported("scores two pairs") : wrongShape();
}

const pair = (one: string, many: string): JsonObject => ({
  [one]: "A river in France",
  [many]: ["The Loire.", "A loom."],
});

const first = (list: unknown): unknown => (Array.isArray(list) ? (list[0] as unknown) : undefined);

const wrongShape = (): Finding => unsupported("status 200, but not the expected reply");
