import { expect, it } from "vitest";
import { z } from "zod";
import { aiSdkTools } from "espalier";

const { signal } = new AbortController();

it("takes a tool of the AI SDK with its schema, and checks what it is given", async () => {
  // What `tool()` of the AI SDK returns.
  const weather = {
    description: "The weather of a town.",
    inputSchema: z.object({ town: z.string().describe("Its name.") }),
    execute: async ({ town }: { town: string }) => ({ town, sky: "clear" }),
  };
  const [taken] = aiSdkTools({ weather }, { readOnly: ["weather"] });
  expect(taken).toMatchObject({
    name: "weather",
    description: "The weather of a town.",
    changesTheWorld: false,
    parameters: { properties: { town: { type: "string", description: "Its name." } } },
  });
  await expect(taken?.doCall({ town: "Bergen" }, { signal })).resolves.toEqual({
    town: "Bergen",
    sky: "clear",
  });
  await expect(taken?.doCall({ town: 3 }, { signal })).rejects.toThrow(/arguments are invalid/);
  expect(() => aiSdkTools({ bare: { inputSchema: {} } })).toThrow(/cannot be used/);
});
