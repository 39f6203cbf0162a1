import { describe, expect, it } from "vitest";
import { defaultChecks } from "espalier/optimizer";
import { extractText } from "../../../../src/optimizer/proposal/check/extract-text.ts";
import { objection } from "../../../../src/optimizer/proposal/check/proposal-checks.ts";

const given = { current: "Answer the question.", isTried: false, cases: [], known: [] };
const fence = "```";

/** What a proposal becomes, or why it is refused. */
function becomes(written: string): string {
  const text = extractText(written);
  const refused = objection(defaultChecks(), text, given);
  return refused === null ? text : `refused: ${refused.reason}`;
}

describe("behaviour 15: text in a code fence", () => {
  it.each([
    {
      name: "1. with a language, announced",
      written: `Here's the improved instruction:\n${fence}markdown\nName the source.\nBe brief.\n${fence}\n`,
      text: "Name the source.\nBe brief.",
    },
    {
      name: "2. without a language, announced, with a closing word",
      written: `Here's the instruction:\n${fence}\nName the source.\n${fence}\nDone.`,
      text: "Name the source.",
    },
    {
      name: "3. holding backticks of its own",
      written: `${fence}markdown\nDon't be confused by these: ${fence}\n${fence}`,
      text: `Don't be confused by these: ${fence}`,
    },
    {
      name: "4. with empty lines about it",
      written: `${fence}\n\nName the source.\n\n${fence}`,
      text: "Name the source.",
    },
    {
      // gepa 0.1.4 takes what is inside, and loses what is around.
      name: "5. with fences inside, after words that are part of the text",
      written: `Begin so.\n${fence}plaintext\nFirst.\n${fence}\nInner.\n${fence}\nLast.\n${fence}\nEnd so.`,
      text: `Begin so.\n${fence}plaintext\nFirst.\n${fence}\nInner.\n${fence}\nLast.\n${fence}\nEnd so.`,
    },
    {
      // gepa 0.1.4 takes the text, which is most often cut off.
      name: "6. never closed",
      written: `${fence}text\nName the source.`,
      text: "refused: truncated",
    },
    {
      // gepa 0.1.4 takes the text.
      name: "7. closed and never opened",
      written: `Name the source.\n${fence}`,
      text: "refused: truncated",
    },
    {
      // gepa 0.1.4 takes the text.
      name: "8. one fence in the middle",
      written: `\nHere are some backticks:\n${fence}\nName the source.\n`,
      text: "refused: truncated",
    },
    { name: "9. none at all", written: "\n  Name the source.\n  ", text: "Name the source." },
  ])("$name", ({ written, text }) => {
    expect(becomes(written)).toBe(text);
  });

  it("leaves an example of a format where it is, of which gepa 0.1.4 would leave nothing else", () => {
    const text = `Name the source. Answer in this format:\n${fence}json\n{"answer": "..."}\n${fence}`;
    expect(becomes(text)).toBe(text);
  });

  it("takes two fences side by side for parts of the text", () => {
    const text = `${fence}\nfirst format\n${fence}\nor\n${fence}\nsecond format\n${fence}`;
    expect(becomes(text)).toBe(text);
  });
});

describe("thinking before the text", () => {
  it("is left out where it is closed, and refused where it is not", () => {
    expect(becomes("<think>\nHm.\n</think>\nName the source.")).toBe("Name the source.");
    expect(becomes(`<think>Hm.</think>\n${fence}\nName the source.\n${fence}`)).toBe(
      "Name the source.",
    );
    expect(becomes("<seed:think>Hm.</seed:think>Name the source.")).toBe("Name the source.");
    expect(becomes("<thought>Hm.</thought>Name the source.")).toBe("Name the source.");
    expect(becomes("<reasoning>Hm.</reasoning>Name the source.")).toBe("refused: polluted");
    expect(becomes("<think>done</think>\n<think>and then it stopped")).toBe("refused: polluted");
    expect(becomes("<think>\nOkay, let me try")).toBe("refused: polluted");
  });
});
