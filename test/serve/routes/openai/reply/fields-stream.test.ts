import { describe, expect, it } from "vitest";
import { growingJsonText } from "../../../../../src/serve/model/growing-json-text.ts";
import { projected } from "../../../../../src/serve/model/schema-fit.ts";
import { fieldsStream } from "../../../../../src/serve/routes/openai/reply/fields-stream.ts";

const schema = {
  type: "object",
  properties: {
    note: { type: ["string", "null"] },
    items: { type: "array", items: { type: "object", properties: { name: {} } } },
  },
  required: ["items"],
  additionalProperties: false,
};

function streamed() {
  let sent = "";
  const stream = fieldsStream(
    {
      whole: (output) => JSON.stringify(projected(schema, output)),
      growing: () => growingJsonText(schema),
    },
    (piece) => (sent += piece),
  );
  return { ...stream, sent: () => sent };
}

describe("a structured answer that is streamed while it is written", () => {
  it("is whole where the model leaves an optional field out by null", () => {
    const { handle, end, sent } = streamed();
    handle({ note: null, items: [{ name: "fl" }] }, { path: "a", growing: ["items", 0, "name"] });
    expect(end({ items: [{ name: "flour" }] })).toBeNull();
    expect(JSON.parse(sent())).toEqual({ note: null, items: [{ name: "flour" }] });
  });

  it.each([
    ["a shorter list", { note: "n", items: [] }],
    ["a text in the place of a list", { note: "n", items: "none" }],
    ["nothing in the place of an object", { note: "n", items: [{ name: "rye" }, null] }],
    ["no object at all", null],
  ])("ends with an error where the program returns %s after part was sent", (_, output) => {
    const { handle, end } = streamed();
    const items = [{ name: "rye" }, { name: "fl" }];
    handle({ note: "n", items }, { path: "a", growing: ["items", 1, "name"] });
    expect(end(output)).toMatchObject({ status: 500, code: "answer_restarted" });
  });

  it("goes on where a fallback begins with what was sent", () => {
    const { handle, end, sent } = streamed();
    handle({ note: "n" }, { path: "a", growing: ["note"] });
    expect(end({ note: "no items", items: [] })).toBeNull();
    expect(JSON.parse(sent())).toEqual({ note: "no items", items: [] });
  });
});
