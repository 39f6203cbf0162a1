import { otlp } from "../../src/index.ts";
import { expect, it } from "vitest";
import { collector } from "../../../../test/support/otlp-collector.ts";

const answer = {
  id: "answer-1",
  user: null,
  conversation: null,
  model: "towns",
  version: "1",
  question: "Where is it?",
  history: [],
  answer: "By the river.",
  trace: {
    program: "towns",
    version: "1",
    input: {},
    notes: {},
    children: [],
    startedAtMs: 1_000,
    latencyMs: 20,
  },
} as const;
const rating = {
  rating: "down",
  comment: "It is by the lake.",
  correction: "By the lake.",
} as const;

async function rated(options: { readonly hasContents: boolean }, sample = 1) {
  await using server = await collector();
  const listener = otlp({ url: server.url, ...options }).answers({ sample });
  listener.answered(answer);
  listener.rated(answer.id, rating);
  const delivery = await listener.end(60_000);
  return { delivery, spans: server.spans(), sent: JSON.stringify(server.received) };
}

it("sends a rating as a span below the answer's, in the same trace", async () => {
  const { delivery, spans, sent } = await rated({ hasContents: true });
  expect(delivery).toEqual({ isComplete: true });
  const [ofAnswer, ofRating] = spans;
  expect(spans).toHaveLength(2);
  expect(ofRating).toMatchObject({
    traceId: ofAnswer?.traceId,
    parentSpanId: ofAnswer?.spanId,
    name: "user_rating",
    events: [
      {
        name: "gen_ai.evaluation.result",
        attributes: {
          "gen_ai.evaluation.name": "user_rating",
          "gen_ai.evaluation.score.value": 0,
          "gen_ai.evaluation.explanation": rating.comment,
        },
      },
    ],
  });
  expect(sent).toContain(rating.correction);
});

it("keeps the user's words where contents are not asked for", async () => {
  const { spans, sent } = await rated({ hasContents: false });
  expect(spans.map(({ name }) => name)).toContain("user_rating");
  expect(sent).not.toContain("lake");
});

it("sends no rating of an answer that is not in the sample", async () => {
  const { spans } = await rated({ hasContents: true }, 0);
  expect(spans).toEqual([]);
});
