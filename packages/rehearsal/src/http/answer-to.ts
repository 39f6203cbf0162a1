import type { Json, JsonObject } from "../../../../src/contract/index.ts";
import type { Answer } from "./answer.ts";
import { json } from "./answer.ts";
import { bodyReader } from "./body-reader.ts";
import type { SpoilContent } from "./chat-completions.ts";
import type { Engine } from "./engine.ts";
import { errorBody, Refusal } from "./refusal.ts";
import { routes } from "./routes.ts";

/** The answer to one request; refusals and unknown routes also produce answers. */
export async function answerTo({
  endpoint,
  body,
  engine,
  spoil,
}: {
  readonly endpoint: string;
  readonly body: string;
  readonly engine: Engine;
  readonly spoil: SpoilContent;
}): Promise<Answer> {
  const route = routes.get(endpoint);
  if (route === undefined) return unknownRoute(endpoint);
  try {
    return await route.answer(bodyReader(parsed(endpoint, body)), engine, spoil);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return json(errorBody(error.status, error.message, error.param), error.status);
  }
}

function unknownRoute(endpoint: string): Answer {
  const path = endpoint.split(" ")[1] ?? "";
  const isKnownPath = [...routes.keys()].some((known) => known.endsWith(` ${path}`));
  return isKnownPath
    ? json({ detail: "Method Not Allowed" }, 405)
    : json({ detail: "Not Found" }, 404);
}

function parsed(endpoint: string, body: string): JsonObject {
  if (endpoint.startsWith("GET ")) return {};
  let value: Json;
  try {
    value = JSON.parse(body) as Json;
  } catch (error) {
    throw new Refusal(400, `Invalid JSON: ${(error as Error).message}`);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as JsonObject;
  }
  throw new Refusal(400, "The body should be a JSON object");
}
