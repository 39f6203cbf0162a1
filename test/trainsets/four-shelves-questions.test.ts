import { describe, expect, it } from "vitest";
import { questionHeadRoom } from "../../scripts/four-shelves/question-head-room.ts";
import { fewest, questionProblems } from "../../scripts/four-shelves/question-problems.ts";
import type { QuestionRow } from "../../scripts/four-shelves/read-questions.ts";
import { readQuestions } from "../../scripts/four-shelves/read-questions.ts";
import type { PassageRow } from "../../scripts/four-shelves/read-shelves.ts";
import { dealClusters } from "../../trainsets/deal-clusters.ts";
import { fourShelvesPassages, fourShelvesQuestions } from "../../trainsets/four-shelves/index.ts";
import { linkedClusters } from "../../trainsets/linked-clusters.ts";

const passages = (await fourShelvesPassages()).map(({ id, title = "", text }): PassageRow => ({
  id,
  title,
  text,
}));
const { splits } = await fourShelvesQuestions();

describe("questions over the four shelves", () => {
  it("are as many as promised, and nothing is wrong with them", () => {
    expect(questionProblems(readQuestions(), passages)).toEqual([]);
  });

  it("leave head-room: steps asked apart find what a complex question as asked misses", () => {
    const complex = questionHeadRoom(readQuestions(), passages).find(
      ({ route }) => route === "complex",
    );
    expect(complex?.question).toBeLessThan(0.75);
    expect(complex?.complete).toBeLessThan(0.5);
    expect(complex?.subQuestions).toBeGreaterThan(0.95);
  });

  it("come in splits that share no passage, with every kind in each", () => {
    const owner = new Map<string, string>();
    for (const [split, examples] of Object.entries(splits)) {
      const routes = new Set(examples.map(({ labels }) => labels.route));
      expect([...routes].toSorted()).toEqual(Object.keys(fewest).toSorted());
      for (const passage of examples.flatMap(({ labels }) => Object.keys(labels.relevant))) {
        expect(owner.get(passage) ?? split).toBe(split);
        owner.set(passage, split);
      }
    }
  });

  it("are dealt within a tenth of their shares, whatever the kind", () => {
    const all = Object.values(splits).flat();
    for (const route of Object.keys(fewest)) {
      const part = (split: keyof typeof splits) =>
        splits[split].filter(({ labels }) => labels.route === route).length /
        all.filter(({ labels }) => labels.route === route).length;
      expect(Math.abs(part("train") - 0.25)).toBeLessThan(0.1);
      expect(Math.abs(part("val") - 0.4)).toBeLessThan(0.1);
      expect(Math.abs(part("test") - 0.35)).toBeLessThan(0.1);
    }
  });

  it("show the program the question and nothing else", () => {
    for (const { input } of splits.train) expect(Object.keys(input)).toEqual(["question"]);
  });

  it("name each passage that a step needs, and none where none is needed", () => {
    for (const { labels } of Object.values(splits).flat()) {
      expect(Object.keys(labels.relevant).toSorted()).toEqual(
        [...new Set(labels.decomposition.map(({ passageId }) => passageId))].toSorted(),
      );
    }
    const { labels } = splits.val.find((row) => row.labels.route === "straightforward") ?? {};
    expect(labels?.relevant).toEqual({});
  });
});

// That the check can fail, each of its rules.
describe("the check of the questions", () => {
  const bridge = readQuestions().find(({ id }) => id === "bridge-09");
  const compound = readQuestions().find(({ id }) => id === "attributes-02");
  const comparison = readQuestions().find(({ id }) => id === "comparison-01");
  const single = readQuestions().find(({ id }) => id === "single-step-01");
  if (!bridge || !compound || !comparison || !single) throw new Error("a row was renamed");

  it.each<[string, QuestionRow, RegExp]>([
    [
      "an unknown passage",
      { ...single, decomposition: [{ question: "?", answer: "1961", passageId: "enc-p999" }] },
      /does not exist/,
    ],
    [
      "an answer that its passage does not hold",
      {
        ...single,
        answers: ["1962"],
        decomposition: [{ question: "?", answer: "1962", passageId: "enc-p005" }],
      },
      /enc-p005 does not contain/,
    ],
    [
      "a chain that is broken",
      {
        ...bridge,
        decomposition: bridge.decomposition.map((step) => ({ ...step, question: "Which one?" })),
      },
      /does not ask about/,
    ],
    [
      "a link given away",
      { ...bridge, question: "How many people live in Belmarra, where he worked?" },
      /already names/,
    ],
    ["an answer given away", { ...single, question: "Was it in 1961?" }, /gives away/],
    ["a lost part", { ...compound, answers: ["Josiah Pellow"] }, /does not have 2 parts/],
    [
      "parts that are not those of the steps",
      { ...compound, answers: ["Pellow && far"] },
      /does not join the answers of its steps/,
    ],
    [
      "a comparison without its options",
      { ...comparison, question: "Which came first?" },
      /one of two/,
    ],
    [
      "steps in a question that needs none",
      { ...single, route: "straightforward" },
      /1 steps in a straightforward/,
    ],
    [
      "one passage for a chain",
      {
        ...bridge,
        decomposition: bridge.decomposition.map((step) => ({ ...step, passageId: "enc-p089" })),
      },
      /every step is in one passage/,
    ],
  ])("finds %s", (_, broken, problem) => {
    expect(questionProblems([broken], passages).join("\n")).toMatch(problem);
  });

  it("finds a question asked twice", () => {
    expect(questionProblems([single, { ...single, id: "again" }], passages)).toContain(
      "again: the same question as single-step-01",
    );
  });
});

describe("clusters of questions", () => {
  it("join what shares a key through others, and leave the rest alone", () => {
    const items = ["ab", "cd", "x", "bc", ""];
    expect(linkedClusters(items, (item) => item.split(""))).toEqual([
      ["ab", "cd", "bc"],
      ["x"],
      [""],
    ]);
  });

  it("are dealt whole, and the same way whatever their order", () => {
    const clusters = Array.from({ length: 20 }, (_, index) => ({
      id: `cluster-${index}`,
      strata: Array.from({ length: 1 + (index % 3) }, () => (index % 2 === 0 ? "even" : "odd")),
    }));
    const shares = { train: 0.25, val: 0.4, test: 0.35 };
    const dealt = dealClusters(clusters, shares);
    const again = dealClusters(clusters.toReversed(), shares);
    expect(dealt.size).toBe(20);
    expect([...again].toSorted()).toEqual([...dealt].toSorted());
    expect(new Set(dealt.values()).size).toBe(3);
  });
});
