import type { z } from "zod";
import type { Json, JsonObject, Tool } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { isObject, jsonOrUndefined, withWholeEscapes } from "../../internal/index.ts";
import type { FieldSchemas, OutputOf } from "../../signature/index.ts";
import { describeFields, fieldParser, jsonSchemaOf, refuseImages } from "../../signature/index.ts";

export interface ToolDefinition<TInput extends FieldSchemas, TOutput> {
  /** A letter, then up to 63 letters, digits, `_` or `-`. */
  readonly name: string;
  /** What it does and when to use it; an optimizer may rewrite it. */
  readonly description: string;
  /** The arguments; what `.describe()` says of one reaches the model. */
  readonly input: TInput;
  /** What a result must be. @default any JSON */
  readonly output?: z.ZodType<TOutput>;
  /** What it throws is told to the model, which may go on. */
  readonly run: (
    input: OutputOf<TInput>,
    options: { readonly signal: AbortSignal },
  ) => TOutput | Promise<TOutput>;
  /** Whether a call has an effect beyond its result. @default false */
  readonly hasSideEffects?: boolean;
  /** Answers in place of `run` where side effects are not allowed. @default nothing does */
  readonly mock?: ToolDefinition<TInput, TOutput>["run"];
  /** @default 30_000 */
  readonly timeoutMs?: number;
  /** Change it whenever `run` would answer otherwise. @default "1" */
  readonly version?: string;
}

/**
 * Declares a tool for `agent()`. In a search, a tool without side effects is asked once
 * for each input, and the answer is recorded.
 *
 * @throws EspalierError `option-invalid`, `field-unrepresentable`
 * @example
 * const search = tool({
 *   name: "search",
 *   description: "Finds passages on a topic.",
 *   input: { query: text("query", "A few words.") },
 *   run: async ({ query }) => index.find(query),
 * });
 */
export function tool<const TInput extends FieldSchemas, TOutput = Json>(
  definition: ToolDefinition<TInput, TOutput>,
): Tool {
  const { name, description, input, output, run, mock } = definition;
  const { hasSideEffects = false, timeoutMs = 30_000, version = "1" } = definition;
  checkTool({ name, description, timeoutMs });
  const parse = fieldParser(input, "lenient");
  const calling =
    (answer: ToolDefinition<TInput, TOutput>["run"]): Tool["doCall"] =>
    async (given, { signal }) => {
      const parsed = parse(given);
      if (!parsed.ok) throw new Error(`The arguments are invalid: ${parsed.problems.join("; ")}`);
      const value = await answer(parsed.value, { signal });
      const checked = output?.safeParse(value);
      if (checked?.success === false) {
        throw new Error(`The tool returned what it must not: ${checked.error.issues[0]?.message}`);
      }
      return (checked === undefined ? value : checked.data) as Json;
    };
  const fields = describeFields(input, `tool "${name}", input`);
  refuseImages(fields, "output", `tool "${name}", input`);
  return Object.freeze({
    name,
    description,
    version,
    parameters: jsonSchemaOf(fields),
    hasSideEffects,
    timeoutMs,
    doCall: calling(run),
    ...(mock && { doMock: calling(mock) }),
  });
}

/** @throws EspalierError `option-invalid` */
export function checkTool({
  name,
  description,
  timeoutMs,
}: Pick<Tool, "name" | "description" | "timeoutMs">): void {
  const invalid = (expected: string, got: string): EspalierError =>
    new EspalierError({
      code: "option-invalid",
      problem: "The tool is invalid",
      where: `tool "${name}"`,
      expected,
      got,
    });
  if (!/^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(name)) {
    throw invalid("a name of a letter, then letters, digits, `_` or `-`", `"${name}"`);
  }
  if (description.trim() === "") throw invalid("a description", "an empty one");
  if (!(timeoutMs > 0 && timeoutMs < 2 ** 31)) {
    throw invalid("`timeoutMs` in milliseconds, above 0", String(timeoutMs));
  }
}

/**
 * The arguments of a call; `null` if they are no object. Servers write nothing or `null` for none,
 * an empty object before the real one, and JSON as a text of JSON.
 */
export function argumentsIn(text: string): JsonObject | null {
  const written = text.trim().replace(/^(?:\{\s*\}\s*)+(?=\{)/, "");
  const value = written === "" ? null : jsonOrUndefined(written);
  if (value === null) return {};
  if (typeof value === "string") return argumentsIn(value);
  return isObject(value) ? (value as JsonObject) : null;
}

/** The same for who reads only an object: as the model wrote it, where it wrote one. */
export function argumentsText(text: string): string {
  return isObject(jsonOrUndefined(text))
    ? withWholeEscapes(text)
    : JSON.stringify(argumentsIn(text) ?? {});
}
