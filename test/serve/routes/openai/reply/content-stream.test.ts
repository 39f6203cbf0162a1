import fc from "fast-check";
import { expect, test } from "vitest";
import type { ContentDelta } from "../../../../../src/serve/routes/openai/reply/content-stream.ts";
import { contentStream } from "../../../../../src/serve/routes/openai/reply/content-stream.ts";

/** What is sent for attempts of which the last is the answer. */
function sentFor(attempts: readonly (readonly string[])[]): readonly ContentDelta[] {
  const sent: ContentDelta[] = [];
  const stream = contentStream((delta) => sent.push(delta));
  attempts.forEach((pieces, index) => {
    if (index > 0) stream.handle({ kind: "restarted" });
    for (const text of pieces) stream.handle({ kind: "delta", text });
  });
  stream.end();
  return sent;
}

test("an answer that is begun anew with the same words goes on where it was", () => {
  expect(sentFor([["The br"], ["The", " bridge", " is old."]])).toEqual([
    { content: "The br" },
    { content: "idge" },
    { content: " is old." },
  ]);
});

test("an answer that is begun anew with other words comes whole after a marked dividing line", () => {
  expect(sentFor([["The br"], ["A", " town."]])).toEqual([
    { content: "The br" },
    { content: "\n\n---\n\n", restarted: true },
    { content: "A" },
    { content: " town." },
  ]);
});

test("an answer that ends before what was sent of another is sent whole as well", () => {
  expect(sentFor([["The bridge"], ["The"]])).toEqual([
    { content: "The bridge" },
    { content: "\n\n---\n\n", restarted: true },
    { content: "The" },
  ]);
});

test("what stands after the last mark is the answer, whatever broke off before", () => {
  const attempt = fc.array(fc.stringMatching(/^[ab]{0,3}$/), { maxLength: 4 });
  fc.assert(
    fc.property(fc.array(attempt, { minLength: 1, maxLength: 4 }), (attempts) => {
      const sent = sentFor(attempts);
      const mark = sent.findLastIndex(({ restarted }) => restarted);
      const answer = sent.slice(mark + 1).map(({ content }) => content);
      expect(answer.join("")).toBe(attempts.at(-1)?.join(""));
    }),
  );
});
