import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { json as jsonOf } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { contentHash } from "../../../src/internal/index.ts";

interface ReaderRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly response_format?: unknown;
}

/**
 * A chat server whose model is whoever reads `FOLDER/open`: each request lies there as `KEY.md`,
 * and its reply is what is written to `FOLDER/answers/KEY.md`. It waits for as long as that takes.
 * A reader is to go by the file alone, as a model would.
 */
export async function serveReader(folder: string): Promise<
  AsyncDisposable & {
    /** Ends with `/v1`. */
    readonly url: string;
  }
> {
  const [open, answers] = [join(folder, "open"), join(folder, "answers")];
  for (const each of [open, answers]) mkdirSync(each, { recursive: true });
  let hasEnded = false;

  async function answerTo(request: ReaderRequest): Promise<string> {
    const key = contentHash([request.messages, request.response_format ?? null]).slice(0, 16);
    const [asked, answer] = [join(open, `${key}.md`), join(answers, `${key}.md`)];
    if (!existsSync(answer)) {
      // Whoever lists the folder sees it whole.
      writeFileSync(`${asked}.part`, shown(request));
      renameSync(`${asked}.part`, asked);
    }
    while (!existsSync(answer)) {
      if (hasEnded) throw new Error("The reader's server has ended.");
      await delay(300);
    }
    return readFileSync(answer, "utf8").trim();
  }

  const server = createServer((incoming, response) => {
    const reply = async (): Promise<object> => {
      const request = (await jsonOf(incoming)) as ReaderRequest;
      const content = await answerTo(request);
      // A reader has no tokenizer: four characters are about a token.
      const [prompt, completion] = [shown(request), content].map((text) =>
        Math.ceil(text.length / 4),
      ) as [number, number];
      return {
        model: request.model,
        choices: [{ message: { content }, finish_reason: "stop" }],
        usage: { prompt_tokens: prompt, completion_tokens: completion },
      };
    };
    reply().then(
      (body) => response.end(JSON.stringify(body)),
      () => response.destroy(),
    );
  });
  server.requestTimeout = 0;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    [Symbol.asyncDispose]: async () => {
      hasEnded = true;
      server.close();
      server.closeAllConnections();
    },
  };
}

function shown({ messages, response_format: format }: ReaderRequest): string {
  const parts = messages.map(({ role, content }) => `# ${role}\n\n${content}`);
  if (format !== undefined) parts.push(`# format of the reply\n\n${JSON.stringify(format)}`);
  return `${parts.join("\n\n")}\n`;
}
