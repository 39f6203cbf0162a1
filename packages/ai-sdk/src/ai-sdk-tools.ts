import type { Json, JsonObject, Tool } from "../../../src/index.ts";
import { EspalierError, messageOf } from "../../../src/errors/index.ts";
import { z } from "zod";
import { checkTool } from "../../../src/program/index.ts";

/** What of the AI SDK's `tool()` we use: its description, its zod input schema and its function. */
export interface AiSdkTool {
  /** Since version 7 of the SDK also a function of a call's context, which is refused. */
  // oxlint-disable-next-line typescript/no-explicit-any -- each tool has a context of its own
  readonly description?: string | ((options: any) => string) | undefined;
  readonly inputSchema: unknown;
  // oxlint-disable-next-line typescript/no-explicit-any -- each tool takes only its own input
  readonly execute?: ((input: any, options: any) => unknown) | undefined;
}

/**
 * Takes tools of the AI SDK, by name, for `agent()`: those with a zod schema and an `execute`. They
 * do not say whether they have side effects, so those without are named.
 *
 * @throws EspalierError `option-invalid`
 * @example
 * agent({ signature, tools: aiSdkTools({ weather }, { readOnly: ["weather"] }) });
 */
export function aiSdkTools(
  tools: Readonly<Record<string, AiSdkTool>>,
  {
    readOnly = [],
    timeoutMs = 30_000,
  }: {
    /** Names of those that change nothing. @default none */
    readonly readOnly?: readonly string[];
    /** Of each call. @default 30_000 */
    readonly timeoutMs?: number;
  } = {},
): readonly Tool[] {
  return Object.entries(tools).map(([name, { description: said = "", inputSchema, execute }]) => {
    const unusable = (expected: string, got?: string): EspalierError =>
      new EspalierError({
        code: "option-invalid",
        problem: "The AI SDK's tool cannot be used",
        where: `tool "${name}"`,
        expected,
        ...(got !== undefined && { got }),
      });
    if (typeof said !== "string") {
      throw unusable("a `description` string", "a function");
    }
    const description = said.trim() === "" ? name : said;
    checkTool({ name, description, timeoutMs });
    if (!(inputSchema instanceof z.ZodType) || execute === undefined) {
      throw unusable("a tool with a zod `inputSchema` and an `execute`");
    }
    const parameters = parametersOf(inputSchema, (got) =>
      unusable("an object `inputSchema` that JSON Schema can represent", got),
    );
    let calls = 0;
    return Object.freeze({
      name,
      description,
      version: "1",
      parameters,
      hasSideEffects: !readOnly.includes(name),
      timeoutMs,
      doCall: async (input, { signal }) => {
        const parsed = await inputSchema.safeParseAsync(input);
        if (!parsed.success) {
          throw new Error(`The arguments are invalid: ${parsed.error.issues[0]?.message}`);
        }
        const options = { toolCallId: `${name}-${++calls}`, messages: [], abortSignal: signal };
        return (await execute(parsed.data, options)) as Json;
      },
    } satisfies Tool);
  });
}

/** What the model has to write: a default need not be, and a transform comes after. */
function parametersOf(schema: z.ZodType, refused: (got: string) => EspalierError): JsonObject {
  try {
    const { $schema: _, ...parameters } = z.toJSONSchema(schema, { io: "input" }) as JsonObject;
    const { type = "object" } = parameters;
    if (type !== "object") throw new Error(`a schema of type ${JSON.stringify(type)}`);
    return parameters;
  } catch (error) {
    throw refused(messageOf(error));
  }
}
