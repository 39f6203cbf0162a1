import { rehearsalLm } from "espalier/rehearsal";
import { chatServer } from "espalier/serve";
import { expect, test } from "vitest";
import shelves from "../../optimizers/serving.ts";
import { clientOf } from "../serve/served.ts";

test("each shipped system answers over HTTP and cites passages of the shelves (rehearsal)", async () => {
  await using server = await chatServer({ serving: shelves, lm: rehearsalLm() });
  const { data } = await clientOf(server).models.list();
  const ids = data.map(({ id }) => id);
  expect(ids).toEqual([
    "notes-guided",
    "r2rag",
    "r2rag/vanilla-rag",
    "r2rag/vanilla-agent",
    "hanrag",
    "ails-ntua",
  ]);
  for (const model of ids) {
    const reply = await clientOf(server).chat.completions.create({
      model,
      messages: [{ role: "user", content: "What does registering a birth in Halmere cost?" }],
    });
    const message = reply.choices[0]?.message as unknown as Record<string, readonly string[]>;
    const citations = message["citations"] ?? [];
    expect({
      model,
      isAnswered: (message["content"]?.length ?? 0) > 0,
      cites: citations.every((url) => url.startsWith("urn:passage:")),
      contexts: message["contexts"]?.length,
      spends: (reply.usage?.total_tokens ?? 0) > 0,
    }).toEqual({ model, isAnswered: true, cites: true, contexts: citations.length, spends: true });
  }
  expect((await fetch(`${server.url}/ready`)).status).toBe(200);
});
