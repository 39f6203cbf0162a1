import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import type { EventStream } from "../../../src/serve/protocol/event-stream.ts";
import { eventStream } from "../../../src/serve/protocol/event-stream.ts";
import { heldBytes } from "../../support/held-bytes.ts";

const newStream = (): EventStream =>
  eventStream({ keepAliveMs: 60_000, onCancel: () => undefined });
const dataOf = (piece: string): string => JSON.stringify({ piece });

/** The data of all events, read at once. */
async function read(body: ReadableStream<Uint8Array>): Promise<readonly string[]> {
  const text = await new Response(body).text();
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => data);
}

const piecesIn = (events: readonly string[]): readonly string[] =>
  events.flatMap((data) =>
    data.startsWith("{") ? [(JSON.parse(data) as { piece: string }).piece] : [],
  );

test("a client that reads gets an event for each piece", async () => {
  const stream = newStream();
  const reading = read(stream.open());
  for (const piece of ["a", "b", "c"]) {
    stream.say(piece, dataOf);
    await setImmediate();
  }
  stream.close();
  expect(piecesIn(await reading)).toEqual(["a", "b", "c"]);
});

test("what a client does not read is sent later in larger pieces, all of it and in order", async () => {
  const stream = newStream();
  const body = stream.open();
  let numbered = 0;
  for (let index = 0; index < 20_000; index++) {
    stream.say(`${index} \u{1F332} `, dataOf);
    // It may be made late, in the order of its place.
    if (index % 5_000 === 0) stream.send(() => `mark ${numbered++}`);
    if (index % 100 === 0) await setImmediate();
  }
  stream.send("[DONE]");
  stream.close();
  stream.say("too late", dataOf);
  const events = await read(body);
  expect(events.length).toBeLessThan(2_000);
  expect(events.filter((data) => data.startsWith("mark"))).toEqual(
    [0, 1, 2, 3].map((n) => `mark ${n}`),
  );
  expect(events.at(-1)).toBe("[DONE]");
  const whole = Array.from({ length: 20_000 }, (_, index) => `${index} \u{1F332} `).join("");
  expect(piecesIn(events).join("")).toBe(whole);
});

test("what nobody reads is held once, as text", () => {
  const pieces = 50_000;
  const bytes = heldBytes(() => {
    const stream = newStream();
    const body = stream.open();
    for (let index = 0; index < pieces; index++) {
      stream.say(String.fromCharCode(97 + (index % 26)).repeat(4), dataOf);
    }
    stream.close();
    return { stream, body };
  });
  expect(bytes / (4 * pieces)).toBeLessThan(2);
});

test("a client that leaves frees what it has not read, and ends the stream", async () => {
  let isGone = false;
  const stream = eventStream({ keepAliveMs: 60_000, onCancel: () => (isGone = true) });
  const body = stream.open();
  for (let index = 0; index < 20_000; index++) stream.say("text", dataOf);
  await body.cancel();
  expect(isGone).toBe(true);
  stream.say("more", dataOf);
  stream.close();
});
