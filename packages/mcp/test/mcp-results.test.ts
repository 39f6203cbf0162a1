import { expect, it } from "vitest";
import { resultOf } from "../src/mcp-tools.ts";

const text = (said: string) => ({ type: "text", text: said });
const resource = (held: object) => ({ type: "resource", resource: held });

it("gives the model texts of resources, addresses of links, and the names of what is neither", () => {
  const content = [
    text("downloaded"),
    resource({ uri: "repo://a.txt", text: "THE TEXT" }),
    resource({ uri: "repo://b.png", mimeType: "image/png", blob: "AAAA" }),
    { type: "resource_link", uri: "file:///c.txt", name: "c", description: "The third." },
    { type: "image", data: "AAAA", mimeType: "image/png" },
    { type: "unheard-of" },
  ];
  expect(resultOf({ content })).toBe(
    [
      "downloaded",
      "repo://a.txt",
      "THE TEXT",
      "(resource repo://b.png image/png)",
      "c file:///c.txt The third.",
      "(image image/png)",
      "(unheard-of)",
    ].join("\n"),
  );
  expect(resultOf({})).toBe("");
});

it("gives data as data, and what comes beside it too", () => {
  const data = { sum: 3 };
  expect(resultOf({ content: [text('{"sum":3}')], structuredContent: data })).toEqual(data);
  const beside = [text('{"sum":3}'), resource({ uri: "a", text: "TEXT" })];
  expect(resultOf({ content: beside, structuredContent: data })).toBe('{"sum":3}\na\nTEXT');
  expect(resultOf({ content: beside.slice(1), structuredContent: data })).toBe(
    'a\nTEXT\n{"sum":3}',
  );
});

it("throws an error of the tool with its text, or else with its data", () => {
  const data = { reason: "no such table: orders" };
  const failing = (content: object[]) => () =>
    resultOf({ content, structuredContent: data, isError: true });
  expect(failing([text("no table")])).toThrow(/^no table$/);
  expect(failing([])).toThrow('{"reason":"no such table: orders"}');
  expect(() => resultOf({ isError: true })).toThrow("The tool failed without a word");
});
