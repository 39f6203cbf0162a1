import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ChatServer, ChatServerOptions } from "espalier/serve";
import { apiKeyFile, newApiKey } from "espalier/serve";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { asked, served } from "./served.ts";
import type { Reply, Upstream } from "./upstream.ts";
import { answering } from "./upstream.ts";

export const [alice, bob] = [newApiKey("alice"), newApiKey("bob")];
export const patience = { timeout: 60_000, interval: 10 };

/** A server with a file of these lines. */
export async function keyed(
  lm: Upstream,
  lines: readonly string[],
  options: Partial<ChatServerOptions> = {},
) {
  await using opening = new AsyncDisposableStack();
  const folder = opening.use(await temporaryFolder());
  const path = join(folder.path, "keys");
  const write = (...now: readonly string[]) => writeFile(path, `${now.join("\n")}\n`);
  await write(...lines);
  const log: string[] = [];
  const server = opening.use(
    await served(lm, { keys: apiKeyFile(path), log: (line) => log.push(line), ...options }),
  );
  const opened = opening.move();
  return { server, write, log, folder, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** Answers none before it is told to. */
export function held(): { readonly reply: Reply; readonly release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const answer = answering("There.");
  return {
    release: resolve,
    reply: async (response, request) => {
      await promise;
      await answer(response, request);
    },
  };
}

export const ask = (server: ChatServer, { key }: { readonly key: string }, question = "Where?") =>
  fetch(`${server.url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    body: JSON.stringify(asked(question)),
  });
const metricsOf = async (server: ChatServer, { key }: { readonly key: string }) =>
  (await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${key}` } })).text();
export const waitingIn = async (server: ChatServer, who: { readonly key: string }) =>
  Number(/espalier_chats_waiting (\d+)/.exec(await metricsOf(server, who))?.[1]);
export const codeOf = async (response: Response): Promise<string> =>
  ((await response.json()) as { error: { code: string } }).error.code;
