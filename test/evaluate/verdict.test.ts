import type { Judged } from "espalier/evaluate";
import { verdictWords } from "espalier/evaluate";
import { describe, expect, it } from "vitest";

const seen: Judged = {
  verdict: "undecided",
  difference: 0.3,
  interval: { low: 0.03, high: 0.53 },
  pValue: 0.0625,
  examples: 5,
  clusters: 5,
  better: 4,
  worse: 1,
};

describe("the words of a difference that is not shown", () => {
  it("say that its interval is too narrow to be shown, and what would show it", () => {
    // 2.8 standard errors of 0.5 / 3.92 each, over 0.3, squared: 7.09 clusters; there are 5.
    expect(verdictWords(seen, "the seed")).toEqual({
      verdict: "not shown to differ from the seed",
      reason:
        "undecided: p is above 0.05, as it always is with fewer than six independent groups of examples",
      help: "about 3 more independent examples would show a difference of this size, if it is real",
      isIntervalTooNarrow: true,
    });
  });

  it("say that its interval decided, and how many more examples would help", () => {
    const wide = { ...seen, interval: { low: -0.1, high: 0.7 }, pValue: 0.04, clusters: 10 };
    // (1.96 + 0.84) standard errors of 0.8 / 3.92 each, over 0.3, squared: 3.63 times 10 clusters.
    expect(verdictWords({ ...wide, examples: 20 }, "the seed")).toMatchObject({
      reason: "undecided: the interval includes zero",
      help: "about 53 more independent examples would show a difference of this size, if it is real",
      isIntervalTooNarrow: false,
    });
  });

  it.each<[why: string, changed: Partial<Judged>, reason: string | null]>([
    ["there is no difference", { difference: 0, interval: { low: 0, high: 0 } }, null],
    [
      "there is one cluster",
      { interval: null, clusters: 1 },
      "undecided: there are fewer than two independent groups of examples",
    ],
    [
      "nothing was resampled",
      { interval: null },
      "undecided: without resamples there is no interval",
    ],
  ])("promise nothing where %s", (_why, changed, reason) => {
    const { help, ...words } = verdictWords({ ...seen, ...changed }, "the seed");
    expect(words.reason).toBe(reason);
    expect(help).toBeNull();
  });
});

it("a tie is said to be one, and neither explained nor helped", () => {
  const tie = { ...seen, difference: 0, interval: { low: 0, high: 0 }, pValue: 1 };
  expect(verdictWords({ ...tie, better: 0, worse: 0 }, "the seed")).toEqual({
    verdict: "as good as the seed on every example",
    reason: null,
    help: null,
    isIntervalTooNarrow: false,
  });
});

it("the words of a difference that is shown name both parts of the rule", () => {
  const shown = { ...seen, pValue: 0.002, clusters: 12 };
  const reason = "decided by both: the interval excludes zero, and p is at most 0.05";
  const rest = { reason, help: null, isIntervalTooNarrow: false };
  expect(verdictWords({ ...shown, verdict: "better" }, "a baseline")).toEqual({
    verdict: "better than a baseline",
    ...rest,
  });
  expect(verdictWords({ ...shown, verdict: "worse" }, "a baseline")).toEqual({
    verdict: "worse than a baseline",
    ...rest,
  });
});
