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
  const changed: string[] = [];
  const stream = fieldsStream(
    {
      whole: (output) => JSON.stringify(projected(schema, output)),
      growing: () => growingJsonText(schema),
      changed: (fields) => changed.push(...fields),
    },
    (piece) => (sent += piece),
  );
  return { ...stream, sent: () => sent, changed };
}

describe("a structured answer that is streamed while it is written", () => {
  it("is whole where the model leaves an optional field out by null", () => {
    const { handle, end, sent } = streamed();
    handle({ note: null, items: [{ name: "fl" }] }, { path: "a", growing: ["items", 0, "name"] });
    expect(end({ items: [{ name: "flour" }] })).toBeNull();
    expect(JSON.parse(sent())).toEqual({ note: null, items: [{ name: "flour" }] });
  });

  it.each([
    ["a shorter list", { note: "n", items: [] }, ["items"]],
    ["a text in the place of a list", { note: "n", items: "none" }, ["items"]],
    ["nothing for an object", { note: "n", items: [{ name: "rye" }, null] }, ["items"]],
    ["another text", { note: "N", items: [{ name: "rye" }, { name: "flour" }] }, ["note"]],
    ["no object at all", null, ["note", "items"]],
  ])("ends with an error where the program returns %s after part was sent", (_, output, fields) => {
    const { handle, end, changed } = streamed();
    const items = [{ name: "rye" }, { name: "fl" }];
    handle({ note: "n", items }, { path: "a", growing: ["items", 1, "name"] });
    const error = end(output);
    expect(error).toMatchObject({ status: 500, code: "answer_changed" });
    expect(error?.message).toContain(`The program changed \`${fields[0]}\``);
    expect(changed).toEqual(fields);
  });

  it("ends with an error of its own where the answer began anew and is another", () => {
    const { handle, end, changed } = streamed();
    handle({ note: "n" }, { path: "a", growing: ["note"] });
    handle({}, { path: "a", growing: [], restarted: true });
    handle({ note: "other" }, { path: "a", growing: ["note"] });
    expect(end({ note: "other", items: [] })).toMatchObject({ code: "answer_restarted" });
    expect(changed).toEqual([]);
  });

  it("goes on where a fallback begins with what was sent", () => {
    const { handle, end, sent } = streamed();
    handle({ note: "n" }, { path: "a", growing: ["note"] });
    expect(end({ note: "no items", items: [] })).toBeNull();
    expect(JSON.parse(sent())).toEqual({ note: "no items", items: [] });
  });
});
