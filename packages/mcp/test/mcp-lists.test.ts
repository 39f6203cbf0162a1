import { afterEach, expect, it, vi } from "vitest";
import { mcpTools } from "../src/index.ts";
import { oddMcp, readOnly } from "./support/odd-mcp.ts";

const { signal } = new AbortController();

afterEach(() => void vi.restoreAllMocks());

const pages = ["first", "second", "third"].map((name, index) => ({
  tools: [{ name }],
  nextCursor: index === 2 ? null : String(index + 1),
}));

it("takes the tools of all pages, and finds those of `only` on any", async () => {
  await using all = await mcpTools({ server: oddMcp({ pages }) });
  expect(all.tools.map(({ name }) => name)).toEqual(["first", "second", "third"]);
  await using one = await mcpTools({ server: oddMcp({ pages }), only: ["third"] });
  expect(one.tools.map(({ name }) => name)).toEqual(["third"]);
});

it.each([
  ["repeats a cursor", [{ tools: [], nextCursor: "0" }]],
  [
    "has more than 200 pages",
    Array.from({ length: 300 }, (_, index) => ({ tools: [], nextCursor: String(index + 1) })),
  ],
])("refuses a list that %s", async (what, endless) => {
  await expect(mcpTools({ server: oddMcp({ pages: endless }) })).rejects.toMatchObject({
    code: "tool-server-failed",
    message: expect.stringContaining(`list of tools ${what}`) as string,
  });
});

it("makes names and descriptions fit, and calls the server by its own", async () => {
  const tools = [
    { name: "fs.read", description: " " },
    { name: "2fa\u001b[2J code" },
    { name: "toString", description: "Says it." },
  ];
  const results = { "fs.read": { content: [{ type: "text", text: "read" }] } };
  await using server = await mcpTools({ server: oddMcp({ pages: [{ tools }], results }) });
  expect(server.tools.map(({ name, description }) => [name, description])).toEqual([
    ["fs_read", "fs_read"],
    ["tool_2fa_2J_code", "tool_2fa_2J_code"],
    ["toString", "Says it."],
  ]);
  await expect(server.tools[0]?.doCall({}, { signal })).resolves.toBe("read");
});

it("leaves out what cannot be used, by name and with a reason, and keeps the rest", async () => {
  const deep = JSON.parse(`${'{"items":'.repeat(150)}{}${"}".repeat(150)}`) as object;
  const tools = [
    { name: "no-object", inputSchema: { type: "string" } },
    { name: "no-schema", inputSchema: [] },
    { name: "deep", inputSchema: deep },
    { name: "lost", inputSchema: { properties: { a: { $ref: "#/$defs/b" } } } },
    { name: "odd", inputSchema: { properties: { a: { $ref: "#/$defs/100%" } } } },
    { name: "task", execution: { taskSupport: "required" } },
    { name: "x.y" },
    { name: "x_y" },
    { name: "x_y", description: "Another." },
    { description: "Without a name." },
    { name: "bare", inputSchema: null, annotations: { readOnlyHint: "yes" } },
    {
      name: "tree",
      inputSchema: { properties: { $ref: { $ref: "#/$defs/a~1b" } }, $defs: { "a/b": {} } },
    },
  ];
  const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  await using server = await mcpTools({ server: oddMcp({ pages: [{ tools }] }) });
  expect(server.tools.map(({ name }) => name)).toEqual(["x_y", "bare", "tree"]);
  expect(server.tools.map(({ parameters }) => parameters)).toEqual([
    { type: "object", properties: {} },
    { type: "object", properties: {} },
    expect.objectContaining({ type: "object" }),
  ]);
  expect(server.tools[1]?.hasSideEffects).toBe(true);
  const said = warned.mock.calls.map(([text]) => String(text));
  expect(said).toHaveLength(9);
  expect(said.join("\n")).toMatch(
    /"number 10" .*no name[^]*"no-object" .*does not describe an object[^]*"no-schema" .*not an object[^]*"deep" .*100 levels[^]*"lost" .*unresolved reference: #\/\$defs\/b[^]*"odd" .*unresolved reference: #\/\$defs\/100%[^]*"task" .*only as a task[^]*"x\.y" .*called `x_y`[^]*"x_y" .*called `x_y`/,
  );
  const asked = mcpTools({ server: oddMcp({ pages: [{ tools }] }), only: ["lost"] });
  await expect(asked).rejects.toMatchObject({
    code: "option-invalid",
    message: expect.stringContaining("tool `lost` cannot be used: its schema") as string,
  });
});

it("calls a tool as it was taken, until the server has changed it", async () => {
  const look = { name: "look", ...readOnly };
  const later = { name: "look", description: "Looks elsewhere.", ...readOnly };
  const feel = { name: "feel" };
  await using server = await mcpTools({
    server: oddMcp({
      pages: [{ tools: [look, feel] }],
      laterPages: [{ tools: [later, feel, { name: "new" }] }],
    }),
  });
  const [looking, feeling] = server.tools;
  await expect(looking?.doCall({}, { signal })).resolves.toBe("ok");
  await expect(looking?.doCall({}, { signal })).rejects.toMatchObject({
    code: "tool-server-failed",
    message: expect.stringContaining("has changed its tool `look`") as string,
  });
  await expect(feeling?.doCall({}, { signal })).resolves.toBe("ok");
});
