import { ownConnection } from "./own-connection.ts";
import { servedModel } from "./served-model.ts";

/** How `espalier serve` reacted to a question. */
export interface Reaction {
  readonly status: number;
  /** Of an error. */
  readonly code: string | null;
  /** Of an answer. */
  readonly choices: unknown;
  readonly tookMs: number;
}

export async function askServed(url: string, question: string): Promise<Reaction> {
  const begun = performance.now();
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", ...ownConnection },
    body: JSON.stringify({ model: servedModel, messages: [{ role: "user", content: question }] }),
  });
  const { choices = null, error } = (await response.json()) as {
    readonly choices?: unknown;
    readonly error?: { readonly code: string };
  };
  const tookMs = performance.now() - begun;
  return { status: response.status, code: error?.code ?? null, choices, tookMs };
}

/** The status of `/ready`. */
export async function readiness(url: string): Promise<number> {
  const response = await fetch(`${url}/ready`, { headers: ownConnection });
  await response.body?.cancel();
  return response.status;
}
