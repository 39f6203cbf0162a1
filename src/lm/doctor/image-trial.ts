import type { JsonObject } from "../../contract/index.ts";
import type { Finding } from "./server-examination.ts";
import type { TrialServer } from "./trial-server.ts";
import { supported, unknown, unsupported } from "./trial-server.ts";

/**
 * Shows a small picture. A model that sees it takes prompt tokens for it; a server that leaves it
 * out takes none, and most refuse it.
 */
export async function tryImages(server: TrialServer, quiet: JsonObject): Promise<Finding> {
  const tokens = async (content: JsonObject["content"]): Promise<number | null | undefined> => {
    const messages = [{ role: "user", content: content ?? null }];
    const reply = await server.chat({ ...quiet, messages, max_completion_tokens: 1 });
    return reply.usage?.prompt_tokens;
  };
  const text = { type: "text", text: "Which colour is this?" };
  const shown = await tokens([text, { type: "image_url", image_url: { url: redSquare } }]);
  const told = await tokens([text]);
  if (typeof shown !== "number" || typeof told !== "number") {
    return unknown("answered, without a count of prompt tokens that would show it was seen");
  }
  if (shown > told) return supported(`${shown - told} prompt tokens for 56 by 56 pixels`);
  return shown === told
    ? unsupported("left out with status 200: it took no prompt tokens")
    : unknown(`took ${told - shown} prompt tokens less than the text alone`);
}

/** 56 by 56 pixels: some models take none smaller than 28. */
const redSquare =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAADgAAAA4CAIAAAAn5KxJAAAAQ0lEQVR42u3OQQkAAAgEsEty/aMYy4cphMECLNO+EFFRUVFRUVFRUVFRUVFRUVFRUVFRUVFRUVFRUVFRUVFRUVFR0bN+SnG1YZXy7gAAAABJRU5ErkJggg==";
