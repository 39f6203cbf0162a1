import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ChatServer, ChatServerOptions, FeedbackOptions } from "espalier/serve";
import { openFeedback, readPreferences } from "espalier/serve";
import { expect } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { clientOf, served } from "../served.ts";
import { answering, upstream } from "../upstream.ts";

/** How long a condition is waited for: a busy machine takes its time. */
export const patient = { timeout: 60_000 };

/** A server that keeps feedback in a fresh folder. */
export async function atWork(
  server: Partial<ChatServerOptions> = {},
  options: Partial<FeedbackOptions> = {},
  reply = answering("By the river."),
) {
  const resources = new AsyncDisposableStack();
  const folder = resources.use(await temporaryFolder());
  const path = join(folder.path, "feedback.sqlite");
  const store = resources.use(openFeedback({ path, isMade: true, ...options }));
  const lm = resources.use(await upstream(reply));
  const running = resources.use(await served(lm, { feedback: store, ...server }));
  return {
    store,
    path,
    server: running,
    client: clientOf(running),
    /** Waits until so many answers are in the file. */
    kept: (count: number) =>
      expect
        .poll(
          () => readPreferences(path).reduce((sum, { completions }) => sum + completions, 0),
          patient,
        )
        .toBe(count),
    /** All bytes of the database and of whatever SQLite keeps beside it. */
    bytes: async () => {
      const names = await readdir(folder.path);
      const files = await Promise.all(names.map((name) => readFile(join(folder.path, name))));
      return Buffer.concat(files).toString("latin1");
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

export async function rate(
  { url }: ChatServer,
  body: unknown,
  headers: Record<string, string> = {},
) {
  const response = await fetch(`${url}/v1/feedback`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}
