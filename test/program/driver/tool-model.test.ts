import { expect, it } from "vitest";
import type { Json } from "espalier";
import { EspalierError, tool } from "espalier";
import { toolReply } from "../../../src/contract/index.ts";
import { outcomeIn, toolModel, toolRequest } from "../../../src/program/call/tool-session.ts";

const outcomeOf = async (run: () => unknown) => {
  const look = tool({ name: "look", description: "Looks.", input: {}, run: run as () => Json });
  return outcomeIn(await toolModel(look).doGenerate(toolRequest(look, {}, {}), { role: "tool" }));
};

it.each<[string, unknown]>([
  ["a BigInt", { count: 10n }],
  ["a cycle", Object.assign([], { 0: globalThis })],
  ["a function", () => 3],
  ["a symbol", Symbol("x")],
])("a result that is %s is an error that names the tool", async (_, value) => {
  await expect(outcomeOf(() => value)).resolves.toMatchObject({
    ok: false,
    error: expect.stringMatching(/^The tool `look` returned what JSON cannot hold/) as string,
  });
});

it("nothing is a result", async () => {
  await expect(outcomeOf(() => undefined)).resolves.toEqual({ ok: true, value: null });
});

it("a fault of a server that a tool asks is thrown, and any other error is an outcome", async () => {
  const failing = (code: "search-failed" | "input-invalid") => () => {
    throw new EspalierError({ code, problem: "It failed" });
  };
  await expect(outcomeOf(failing("search-failed"))).rejects.toMatchObject({
    code: "search-failed",
  });
  await expect(outcomeOf(failing("input-invalid"))).resolves.toMatchObject({ ok: false });
});

it.each(["", "{bad", "null", '{"ok":true}', '{"ok":"true","value":1}', '{"ok":false,"error":1}'])(
  "a kept result that no tool gave is refused: %s",
  (content) => {
    const reply = toolReply({ ok: true, value: 1 }, "look/1", 0);
    expect(() => outcomeIn({ ...reply, content })).toThrow(
      expect.objectContaining({ code: "file-malformed" }) as Error,
    );
  },
);
