import { pythonSplit } from "espalier/metric";
import { describe, expect, it } from "vitest";
import { clean } from "../../../../programs/ails-ntua/generation/clean.ts";
import { isConversational } from "../../../../programs/ails-ntua/generation/is-conversational.ts";
import { isUserAsked } from "../../../../programs/ails-ntua/generation/is-user-asked.ts";
import {
  forbiddenPhrases,
  hasForbiddenPhrase,
  isPureRefusal,
  isRefusalWithoutData,
  withoutForbiddenPhrases,
} from "../../../../programs/ails-ntua/generation/phrases.ts";
import { questionType } from "../../../../programs/ails-ntua/generation/question-type.ts";
import { pythonPattern } from "../../../../programs/ails-ntua/python-text.ts";
import { cutText } from "../../../../programs/support/cut-text.ts";
import { filler } from "../answer-steps.ts";

describe("type of a question", () => {
  it.each([
    ["bridge Ostrel cost", "keyword"],
    ["how to compare", "keyword"],
    ["bridge cost?", "default"],
    ["And how can I compare them?", "how_to"],
    ["tell me how  do I", "default"],
    ["Show me the way", "default"],
    ["Tell me why it is better", "explanation"],
    ["Is this one better than what I have?", "comparative"],
    ["Give an overview of what was built", "summarization"],
    ["What does it cost to cross?", "factoid"],
    ["And how many of them crossed?", "factoid"],
    ["Is the bridge open today?", "default"],
    ["Whatever comes, is it there?", "default"],
    ["The reasons are not clear to me", "default"],
    ["Has the bridge (vs. the ferry) a toll?", "comparative"],
    ["naïvewhat is the thing with it", "default"],
    ["Give me éwhat of the bridge", "default"],
  ])("of %j is %s, by the first rule that matches", (question, type) => {
    expect(questionType(question)).toBe(type);
  });

  it("is a summary for no form of the word, as published, unless the rule is mended", () => {
    for (const question of ["Please summarize the talk for me", "Write me a summary of it"]) {
      expect(questionType(question)).toBe("default");
      expect(questionType(question, { summaries: "stem" })).toBe("summarization");
    }
    expect(questionType("Where is midsummar held now?", { summaries: "stem" })).toBe("factoid");
  });
});

describe("a conversational turn", () => {
  it.each([
    "Thanks",
    "thank you!",
    " OK. ",
    "okay",
    "yes?",
    "No",
    "got it",
    "Great !",
    "cool",
    "nice",
    "alright",
  ])("is %j", (turn) => expect(isConversational(turn)).toBe(true));

  it.each(["thanks a lot", "ok, and the cost?", "no!!", "great news?", "", "notice"])(
    "is not %j",
    (turn) => {
      expect(isConversational(turn)).toBe(false);
    },
  );
});

describe("the forbidden phrases", () => {
  it("are eleven, found in any case and with either apostrophe", () => {
    expect(forbiddenPhrases).toHaveLength(11);
    for (const phrase of forbiddenPhrases) {
      expect(hasForbiddenPhrase(`Well, ${phrase.toUpperCase()} that.`)).toBe(true);
      expect(hasForbiddenPhrase(`Well, ${phrase.replace("'", "’")} that.`)).toBe(true);
      expect(withoutForbiddenPhrases(`Yes. ${phrase}, it holds.`)).toBe("Yes., it holds.");
    }
    expect(hasForbiddenPhrase("It is clear, and I know it.")).toBe(false);
  });

  it("leave neither double spaces nor a space before punctuation", () => {
    expect(
      withoutForbiddenPhrases("The toll, I’m not sure , is two\u00a0 crowns ; it's unclear !"),
    ).toBe("The toll,, is two crowns;!");
    expect(withoutForbiddenPhrases("I don't know")).toBe("");
    expect(withoutForbiddenPhrases("One\nline and another.")).toBe("One\nline and another.");
  });
});

describe("a pure refusal", () => {
  it("holds a refusing phrase, and at most 35 words", () => {
    expect(isPureRefusal("The information is not available.", 35)).toBe(true);
    expect(isPureRefusal("I don’t know.", 35)).toBe(true);
    expect(isPureRefusal(`I don't know ${filler(32)}`, 35)).toBe(true);
    expect(isPureRefusal(`I don't know ${filler(33)}`, 35)).toBe(false);
    expect(isPureRefusal("In 1902.", 35)).toBe(false);
    expect(isPureRefusal("", 35)).toBe(false);
  });

  it("is read more strictly by the gate: nothing said is one, figures make it none", () => {
    expect(isRefusalWithoutData("", 40)).toBe(true);
    expect(isRefusalWithoutData("There is not enough information.", 40)).toBe(true);
    expect(isRefusalWithoutData("I cannot answer for 1920, but it was 41,000 in 1924.", 40)).toBe(
      false,
    );
    expect(isRefusalWithoutData("I cannot answer, roughly a dozen.", 40)).toBe(false);
    expect(isRefusalWithoutData(`I cannot answer ${filler(37, "x")}`, 40)).toBe(true);
    expect(isRefusalWithoutData(`I cannot answer ${filler(38, "x")}`, 40)).toBe(false);
    expect(isRefusalWithoutData("In 1902.", 40)).toBe(false);
  });
});

describe("cleaning an answer", () => {
  it.each([
    ['"It was 1902."', "It was 1902."],
    ["'It was 1902.'", "It was 1902."],
    ["Assistant: It was 1902.", "It was 1902."],
    ["\u00a0agent:  It was   1902.\n\n", "It was 1902."],
    ['"Assistant: in 1902"', "in 1902"],
    ['"', '"'],
    ['It was "1902".', 'It was "1902".'],
    ["The agent: Hallam.", "The agent: Hallam."],
    ["one\ntwo\u2003\u2003three", "one\ntwo three"],
    ["", ""],
  ])("makes of %j %j", (answer, cleaned) => expect(clean(answer)).toBe(cleaned));
});

// Checked against Python 3.
describe("text as Python reads it", () => {
  it("splits at all white space of Unicode and at the separators, and not at U+FEFF", () => {
    expect(pythonSplit(" a\u00a0b\u2003c\u001fd\u0085e\ufefff\u3000 ")).toEqual([
      "a",
      "b",
      "c",
      "d",
      "e\ufefff",
    ]);
  });

  it("knows letters beyond ASCII", () => {
    expect("été 7 x".match(pythonPattern(String.raw`\b\w+\b`, "g"))).toEqual(["été", "7", "x"]);
    expect(pythonPattern(String.raw`\bt\b`).test("été")).toBe(false);
    expect("٣ 4".match(pythonPattern(String.raw`\d`, "g"))).toEqual(["٣", "4"]);
  });

  it("counts code points", () => {
    expect(cutText("🌉🌉🌉", 2)).toBe("🌉🌉");
    expect(cutText("ab", 3)).toBe("ab");
  });
});

describe("the draw of the user judge", () => {
  const turns = Array.from({ length: 2_000 }, (_, index) => ({
    question: `What of bridge ${index}?`,
    history: [],
  }));
  const drawn = (rate: number, seed: number) =>
    turns.map((turn) => isUserAsked(turn, { rate, seed }));

  it("takes about the share asked for", () => {
    const share = drawn(0.6, 42).filter(Boolean).length / turns.length;
    // Four standard errors.
    expect(Math.abs(share - 0.6)).toBeLessThan(4 * Math.sqrt(0.24 / turns.length));
    expect(drawn(1, 42).every(Boolean)).toBe(true);
    expect(drawn(0, 42).some(Boolean)).toBe(false);
  });

  it("is the same for a turn in every run, other for another seed, and looks at the history", () => {
    expect(drawn(0.6, 42)).toEqual(drawn(0.6, 42));
    expect(drawn(0.6, 42)).not.toEqual(drawn(0.6, 43));
    const after = turns.map((turn) =>
      isUserAsked(
        { ...turn, history: [{ speaker: "user", text: "Hello." }] },
        { rate: 0.6, seed: 42 },
      ),
    );
    expect(after).not.toEqual(drawn(0.6, 42));
  });
});
