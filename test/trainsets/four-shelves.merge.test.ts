import { describe, expect, it } from "vitest";
import { headRoom } from "../../scripts/four-shelves/head-room.ts";
import type { Shelf, ShelfRows } from "../../scripts/four-shelves/read-shelves.ts";
import { readShelves, shelves } from "../../scripts/four-shelves/read-shelves.ts";
import { textProblems } from "../../scripts/four-shelves/text-problems.ts";
import { fourShelves, fourShelvesPassages } from "../../trainsets/four-shelves/index.ts";

const rows = readShelves(Object.keys(shelves) as Shelf[]);

describe("four shelves", () => {
  it("has the size it promises, and nothing is wrong with its texts", () => {
    const conversations = rows.flatMap((shelf) => shelf.conversations);
    expect(rows.flatMap(({ passages }) => passages).length).toBeGreaterThanOrEqual(800);
    expect(conversations.length).toBeGreaterThanOrEqual(60);
    expect(conversations.flatMap(({ turns }) => turns).length).toBeGreaterThanOrEqual(240);
    expect(textProblems(rows)).toEqual([]);
  });

  it("leaves head-room: the question as typed misses what the standalone question finds", () => {
    const { lastTurn, standalone } = headRoom(rows);
    expect(lastTurn).toBeGreaterThan(0.35);
    expect(lastTurn).toBeLessThan(0.65);
    expect(standalone - lastTurn).toBeGreaterThan(0.1);
  });

  it("keeps conversations whole, every label in every split, and enough to test on", async () => {
    const { splits } = await fourShelves();
    for (const examples of Object.values(splits)) {
      const labels = new Set(examples.map((example) => example.labels.answerability));
      expect(labels.size).toBe(4);
      expect(new Set(examples.map((example) => example.labels.collection)).size).toBe(4);
    }
    expect(splits.test.length).toBeGreaterThanOrEqual(60);
    expect(new Set(splits.test.map(({ cluster }) => cluster)).size).toBeGreaterThanOrEqual(15);
  });

  it("shows each turn what was said before, and no label", async () => {
    const { splits } = await fourShelves();
    const third = splits.train.find(({ id }) => id.endsWith("-t3"));
    expect(Object.keys(third?.input ?? {})).toEqual(["question", "history"]);
    expect(third?.input.history.map(({ speaker }) => speaker)).toEqual([
      "user",
      "assistant",
      "user",
      "assistant",
    ]);
  });

  it("names only passages that exist", async () => {
    const ids = new Set((await fourShelvesPassages()).map(({ id }) => id));
    const { splits } = await fourShelves();
    const relevant = Object.values(splits)
      .flat()
      .flatMap(({ labels }) => Object.keys(labels.relevant));
    expect(relevant.filter((id) => !ids.has(id))).toEqual([]);
  });
});

// That the check can fail, each of its rules.
describe("the check of the texts", () => {
  const filler = (word: string) =>
    Array.from({ length: 45 }, (_, index) => `${word}${index}`).join(" ");
  const sound: ShelfRows = {
    shelf: "cloud",
    passages: [
      { id: "cld-p1", title: "One", text: `${filler("alpha")}.` },
      { id: "cld-p2", title: "Two", text: `${filler("beta")}.` },
    ],
    conversations: [
      {
        id: "cld-c1",
        turns: [
          {
            question: "How many?",
            standalone: "How many alphas?",
            answer: "Forty-five of them.",
            label: "answerable",
            questionType: "factoid",
            gold: ["cld-p1"],
          },
        ],
      },
    ],
  };
  const [turn] = sound.conversations[0]?.turns ?? [];
  const withTurn = (change: object): ShelfRows => ({
    ...sound,
    conversations: [{ id: "cld-c1", turns: [{ ...turn, ...change } as never] }],
  });
  const withSecond = (text: string): ShelfRows => ({
    ...sound,
    passages: [...sound.passages.slice(0, 1), { id: "cld-p2", title: "Two", text }],
  });

  it("finds nothing in sound texts", () => {
    expect(textProblems([sound])).toEqual([]);
  });

  it.each<[string, ShelfRows, RegExp]>([
    ["a short passage", withSecond("Too short."), /words, not 40 to 120/],
    [
      "a repeated sentence",
      withSecond(`${filler("alpha")}. ${filler("gamma")}.`),
      /also occurs in cld-p1/,
    ],
    ["shared phrases", withSecond(`${filler("alpha")} and more.`), /share \d+ of \d+ 5-grams/],
    ["an unknown gold id", withTurn({ gold: ["cld-p9"] }), /does not exist/],
    [
      "gold for what cannot be answered",
      withTurn({ label: "unanswerable" }),
      /unanswerable with 1 gold/,
    ],
    [
      "an answer in its question",
      withTurn({ question: "Is it forty-five of them?" }),
      /a question contains the answer/,
    ],
    ["a wrong prefix", { ...sound, shelf: "finance" }, /wrong prefix/],
  ])("finds %s", (_, broken, problem) => {
    expect(textProblems([broken]).join("\n")).toMatch(problem);
  });
});
