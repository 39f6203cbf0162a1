import { expect, it } from "vitest";
import { keepsProhibitions } from "espalier/optimizer";

function caveatOn(current: string, text: string): string | null | undefined {
  const given = { current, isTried: false, cases: [], known: [] };
  expect(keepsProhibitions().check(text, given)).toBeNull();
  return keepsProhibitions().caveat?.(text, given);
}

it.each([
  "Do not cite passages that were not shown.",
  "Don’t cite passages that were not shown.",
  "Never cite passages from memory.",
  "- Avoid citing passages twice.",
  "You must not cite passages from memory.",
  "Citations of passages are forbidden.",
  "Answer in prose, without citing passages.",
  "Answer in prose, not with citations.",
  "Invent no citation and no passage.",
  "Bring in nothing that the passages lack.",
  "Under no circumstances cite passages.",
  "Refrain from citing passages.",
  "You mustn't cite passages.",
  "You may never cite passages.",
  "Citations of passages are prohibited.",
  "Citations of passages are disallowed.",
  "Omit citations of passages.",
  "Exclude citations of passages.",
  "Leave out citations of passages.",
  "Keep it short, and never cite passages.",
])("flags a text without: %s", (sentence) => {
  expect(caveatOn(`Answer the question.\n${sentence} Be kind.`, "Answer the question.")).toBe(
    `It drops a sentence that forbids something: "${sentence.replaceAll("’", "'").replace(/^- /, "")}"`,
  );
});

it("takes a prohibition in other words for the same, and one about something else not", () => {
  const current = "Answer. Do not cite passages from memory.";
  for (const text of [
    current,
    "DO NOT CITE PASSAGES FROM MEMORY!",
    "Answer briefly and avoid citing any passages from memory.",
    "Never give a citation of a passage that you know from memory alone.",
  ]) {
    expect(caveatOn(current, text)).toBeNull();
  }
  expect(caveatOn(current, "Answer. Do not greet the user.")).toContain("Do not cite passages");
  // The same words, no longer forbidden.
  expect(caveatOn(current, "Answer. Cite passages from memory.")).toContain("Do not cite passages");
});

it("does not take a description for a prohibition", () => {
  for (const current of [
    "Find the documents that do not help.",
    "It does not when it is only about something similar.",
    "A web search with this query found nothing of use.",
    'For a question of yes or no, write "yes" or "no".',
    "Say that you do not have enough information.",
    "Not complex: it asks one thing.",
  ]) {
    expect(caveatOn(current, "Answer the question.")).toBeNull();
  }
});
