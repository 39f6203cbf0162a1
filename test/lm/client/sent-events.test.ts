import OpenAI from "openai";
import { Stream } from "openai/streaming";
import { expect, test } from "vitest";
import { randomSource } from "../../../src/internal/index.ts";
import type { SentEvent } from "../../../src/lm/client/server-exchange.ts";
import { sentEvents } from "../../../src/lm/client/server-exchange.ts";

/** A body that comes in pieces, which end before these bytes. */
async function* cut(text: string, ends: readonly number[]): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  const all = [0, ...ends.toSorted((left, right) => left - right), bytes.length];
  for (const [index, end] of all.entries()) {
    if (index > 0) yield Uint8Array.from(bytes.subarray(all[index - 1], end));
  }
}

async function eventsOf(body: AsyncIterable<Uint8Array>): Promise<readonly SentEvent[]> {
  const lists = await Array.fromAsync(sentEvents(body));
  return lists.flat().map(({ event, data }) => ({ event, data }));
}

const usual = (data: string): SentEvent => ({ event: undefined, data });

test.each<[string, string, readonly SentEvent[]]>([
  [
    "of one line and of several",
    "data: a\n\ndata: b\ndata\ndata:c\n\n",
    [usual("a"), usual("b\n\nc")],
  ],
  ["with one space taken off", "data:  a \n\n", [usual(" a ")]],
  [
    "with a name",
    "event: error\ndata: a\n\ndata: b\n\n",
    [{ event: "error", data: "a" }, usual("b")],
  ],
  ["between comments, ids and times", ": hi\n\nid: 1\nretry: 5\ndata: a\n: b\n\n", [usual("a")]],
  ["but none without data", "event: ping\n\n\n\ndata: a\n\n", [usual("a")]],
  ["after a byte order mark", "\u{feff}data: a\n\n", [usual("a")]],
  ["that ends without its empty line", "data: a\n\ndata: b", [usual("a"), usual("b")]],
  ["of a field that only begins alike", "dataset: a\nevents: b\ndata: c\n\n", [usual("c")]],
])("an event %s is read, whatever ends a line and wherever pieces end", async (_, text, events) => {
  for (const end of ["\n", "\r\n", "\r"]) {
    const body = text.replaceAll("\n", end);
    const { length } = Buffer.from(body);
    expect(await eventsOf(cut(body, []))).toEqual(events);
    for (let at = 0; at <= length; at += 1) expect(await eventsOf(cut(body, [at]))).toEqual(events);
    expect(
      await eventsOf(
        cut(
          body,
          Array.from({ length }, (_, at) => at),
        ),
      ),
    ).toEqual(events);
  }
});

test("what comes together is handed on together, and at once", async () => {
  const body = "data: a\n\ndata: b\n\ndata: c\n\ndata: d\n\n";
  const lists = await Array.fromAsync(sentEvents(cut(body, [20])));
  expect(lists.map((list) => list.map(({ data }) => data))).toEqual([
    ["a", "b"],
    ["c", "d"],
  ]);
  const returned = await Array.fromAsync(sentEvents(cut("data: a\r\rdata: b\n\n", [9, 14])));
  expect(returned).toEqual([[usual("a")], [usual("b")]]);
});

test("a line in thousands of pieces is read whole, between others, and whatever comes is told", async () => {
  const long = "ä".repeat(50_000);
  for (const end of ["\n", "\r\n", "\r"]) {
    const body = `data: a${end}${end}data: ${long}${end}${end}data: b${end}${end}`;
    const { length } = Buffer.from(body);
    const ends = Array.from({ length: Math.floor(length / 7) }, (_, index) => (index + 1) * 7);
    let heard = 0;
    const lists = await Array.fromAsync(sentEvents(cut(body, ends), () => (heard += 1)));
    expect(lists.flat()).toEqual([usual("a"), usual(long), usual("b")]);
    expect(heard).toBe(ends.length + 1);
  }
});

test("bodies cut at random are read as OpenAI's own client reads them", async () => {
  const client = new OpenAI({ apiKey: "none" });
  for (let round = 0; round < 200; round += 1) {
    const random = randomSource(7, "bodies", round);
    const body = Array.from({ length: 8 }, () => {
      const end = random.choice(["\n", "\r\n"]);
      const said = random.sample(["a", "ä", "€", "😀", "\\", '"', "\n"], 4).join("");
      const comment = random.choice([`: still at it${end}${end}`, ""]);
      return `${comment}data: ${JSON.stringify({ said })}${end}${end}`;
    }).join("");
    const ends = Array.from({ length: 6 }, () => random.below(Buffer.from(body).length));
    const response = new Response(ReadableStream.from(cut(body, ends)));
    const read = await Array.fromAsync(
      Stream.fromSSEResponse<unknown>(response, new AbortController(), client),
    );
    const events = await eventsOf(cut(body, ends));
    expect(events.map(({ data }) => JSON.parse(data) as unknown)).toEqual(read);
  }
});
