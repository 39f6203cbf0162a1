import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { asksBackByRule, declinesByRule } from "../../src/metric/index.ts";
import { sharedData } from "../support/shared-data.ts";

test.each([
  ["I'm sorry, but I don't have the answer to your question.", 1],
  ["The passages do not mention when it was built. Please ask the town hall.", 1],
  ["The information is not there.", 1],
  ["", 1],
  ["It was built in 1871. The documents do not say by whom.", 0.5],
  ["I do not know who built it. It was finished in 1871.", 0.5],
  ["It was built in 1871.", 0],
] as const)("tells by rule whether %j declines", (response, verdict) => {
  expect(declinesByRule(response)).toBe(verdict);
});

test.each([
  ["Which of the two bridges do you mean?", 1],
  ["Could you tell me which bridge you are asking about.", 1],
  ["Please specify the bridge.", 1],
  ["It was built in 1871.", 0],
  ["It was built in 1871. Is there anything else I can help you with?", 0],
  ["I do not know.", 0],
] as const)("tells by rule whether %j asks back", (response, verdict) => {
  expect(asksBackByRule(response)).toBe(verdict);
});

const responses = sharedData("mtrag-eval/generation_metrics_ragu.jsonl");

test.skipIf(responses.isAbsent)(
  `agrees with a judge's published verdicts as often as its description says${responses.note}`,
  async () => {
    const lines = (await readFile(responses.file, "utf8")).trim().split("\n");
    const rows = lines.map(
      (line) =>
        JSON.parse(line) as { prediction: string; metrics: { idk_eval: readonly [number] } },
    );
    const compared = rows.map(({ prediction, metrics }) => ({
      ours: declinesByRule(prediction),
      theirs: metrics.idk_eval[0],
    }));
    const count = (holds: (row: (typeof compared)[number]) => boolean): number =>
      compared.filter(holds).length;
    expect({
      responses: compared.length,
      same: count(({ ours, theirs }) => ours === theirs),
      sameAltogether: count(({ ours, theirs }) => (ours === 1) === (theirs === 1)),
      found: count(({ ours, theirs }) => ours === 1 && theirs === 1),
      declined: count(({ theirs }) => theirs === 1),
    }).toEqual({ responses: 1259, same: 1142, sameAltogether: 1245, found: 33, declined: 42 });
  },
);
