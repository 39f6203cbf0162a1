import { tool } from "ai";
import { expect, it } from "vitest";
import { z } from "zod";
import { aiSdkTools } from "../src/index.ts";

const { signal } = new AbortController();

it("takes a tool of the AI SDK with its schema, and checks what it is given", async () => {
  const weather = tool({
    description: "The weather of a town.",
    inputSchema: z.object({ town: z.string().describe("Its name.") }),
    execute: async ({ town }: { town: string }) => ({ town, sky: "clear" }),
  });
  const [taken] = aiSdkTools({ weather }, { readOnly: ["weather"] });
  expect(taken).toMatchObject({
    name: "weather",
    description: "The weather of a town.",
    hasSideEffects: false,
    parameters: { properties: { town: { type: "string", description: "Its name." } } },
  });
  await expect(taken?.doCall({ town: "Bergen" }, { signal })).resolves.toEqual({
    town: "Bergen",
    sky: "clear",
  });
  await expect(taken?.doCall({ town: 3 }, { signal })).rejects.toThrow(/arguments are invalid/);
  expect(() => aiSdkTools({ bare: { inputSchema: {} } })).toThrow(/cannot be used/);
});

const taken = (inputSchema: z.ZodType, execute = async (input: unknown) => input) =>
  aiSdkTools({ lookup: { description: " ", inputSchema, execute } })[0];

it("asks the model for what a schema takes, not for what it makes of it", async () => {
  const schema = z.object({
    day: z.iso.date().pipe(z.coerce.date()),
    id: z.string().transform((said) => said.length),
    limit: z.number().default(10),
  });
  const lookup = taken(schema, async (input) => JSON.stringify(input));
  expect(lookup).toMatchObject({
    description: "lookup",
    parameters: {
      properties: {
        day: { type: "string", format: "date" },
        id: { type: "string" },
        limit: { type: "number", default: 10 },
      },
      required: ["day", "id"],
    },
  });
  await expect(lookup?.doCall({ day: "2026-01-02", id: "abc" }, { signal })).resolves.toBe(
    '{"day":"2026-01-02T00:00:00.000Z","id":3,"limit":10}',
  );
});

it.each([
  ["a date", z.object({ day: z.coerce.date() }), /Date cannot be represented/],
  ["no object", z.string(), /a schema of type "string"/],
])("refuses what no schema can say, with the tool's name: %s", (_, schema, why) => {
  expect(() => taken(schema)).toThrow(
    expect.objectContaining({
      code: "option-invalid",
      message: expect.stringMatching(/tool "lookup"/) as string,
    }) as Error,
  );
  expect(() => taken(schema)).toThrow(why);
});

it("refuses a description that depends on a call's context", () => {
  const lookup = tool({
    description: () => "Looks it up.",
    inputSchema: z.object({ x: z.string() }),
    execute: async ({ x }: { x: string }) => x,
  });
  expect(() => aiSdkTools({ lookup })).toThrow(/"lookup".*a `description` string/);
});

it("gives each call an id of its own", async () => {
  const ids: string[] = [];
  const [lookup] = aiSdkTools({
    lookup: {
      inputSchema: z.object({ x: z.string().refine(async () => true) }),
      execute: async (_: unknown, { toolCallId }: { toolCallId: string }) => ids.push(toolCallId),
    },
  });
  await Promise.all(["a", "b"].map(async (x) => lookup?.doCall({ x }, { signal })));
  expect(new Set(ids).size).toBe(2);
});
