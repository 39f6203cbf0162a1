import { describe, expect, it } from "vitest";
import { agent, signature, text } from "../../../src/index.ts";
import { mcpTools } from "../src/index.ts";
import { scriptedLm } from "../../../test/support/scripted-lm.ts";
import { everything, everythingOverHttp } from "./support/mcp-server.ts";

const { signal } = new AbortController();

describe("the tools of an MCP server", () => {
  it("are called by an agent over standard input and output", async () => {
    await using server = await mcpTools({ server: everything, only: ["echo"] });
    const [echo] = server.tools;
    expect(echo).toMatchObject({
      name: "echo",
      hasSideEffects: false,
      parameters: { type: "object", required: ["message"] },
    });
    const repeat = agent({
      signature: signature({
        name: "repeat",
        instruction: "Repeat it.",
        input: { said: text("question") },
        output: { heard: text("answer") },
      }),
      tools: server.tools,
    });
    await using lm = await scriptedLm((_, index) =>
      index === 0 ? { toolCalls: [["echo", { message: "hello" }]] } : '{"heard":"hello"}',
    );
    await expect(repeat.run({ said: "hello" }, lm)).resolves.toEqual({ heard: "hello" });
    expect(lm.received[1]?.messages.at(-1)).toMatchObject({ role: "tool", content: "Echo: hello" });
  });

  it("tell the model of a server's error", async () => {
    await using server = await mcpTools({ server: everything, only: ["echo"] });
    const [echo] = server.tools;
    expect(echo?.hasSideEffects).toBe(false);
    await expect(echo?.doCall({ message: 3 }, { signal })).rejects.toThrow(/message|invalid/i);
  });

  it("are reached over HTTP too", async () => {
    await using http = await everythingOverHttp();
    await using server = await mcpTools({ server: { url: http.url }, only: ["echo"] });
    await expect(server.tools[0]?.doCall({ message: "hi" }, { signal })).resolves.toBe("Echo: hi");
  });

  it("are refused in a sentence if the server has none of that name, or cannot be started", async () => {
    await expect(mcpTools({ server: everything, only: ["fly"] })).rejects.toThrow(
      /The MCP server has no tool `fly`.*Expected: .*echo/,
    );
    await expect(
      mcpTools({ server: { command: process.execPath, args: ["-e", "process.exit(1)"] } }),
    ).rejects.toMatchObject({ code: "tool-server-failed" });
  });
});
