import type { ChatServer } from "espalier/serve";

/** An event of `POST /run`, as it came. */
export type ReceivedEvent = Readonly<Record<string, unknown>>;

export interface Run {
  readonly response: Response;
  readonly events: readonly ReceivedEvent[];
  /** The body as it stood on the line. */
  readonly text: string;
}

/** Reads as the harness of MMU-RAG does: to the event that is complete, and no further. */
export async function run(
  { url }: ChatServer,
  body: unknown,
  { signal, onEvent }: { signal?: AbortSignal; onEvent?: (event: ReceivedEvent) => void } = {},
): Promise<Run> {
  const response = await post(`${url}/run`, body, signal);
  const events: ReceivedEvent[] = [];
  let text = "";
  let unread = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    const piece = decoder.decode(chunk, { stream: true });
    text += piece;
    unread += piece;
    const blocks = unread.split("\n\n");
    unread = blocks.pop() ?? "";
    for (const block of blocks) {
      if (!block.startsWith("data: ")) continue;
      const event = JSON.parse(block.slice("data: ".length)) as ReceivedEvent;
      events.push(event);
      onEvent?.(event);
    }
  }
  return { response, events, text };
}

export async function evaluate(
  { url }: ChatServer,
  body: unknown,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await post(`${url}/evaluate`, body);
  return { status: response.status, body: await response.json() };
}

function post(url: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
}
