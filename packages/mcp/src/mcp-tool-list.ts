import { z } from "zod";
import type { Tool } from "../../../src/index.ts";
import { isDeeperThan, isObject, pointedAt } from "../../../src/internal/index.ts";
import type { McpSession } from "./mcp-session.ts";

/** A tool as an agent may have it, and the name by which the server knows it. */
export type OfferedTool = Pick<Tool, "name" | "description" | "parameters"> & {
  readonly ownName: string;
  readonly isReadOnly: boolean;
};

export interface OfferedTools {
  readonly tools: readonly OfferedTool[];
  /** Why a tool cannot be used, by the name that the server gives it. */
  readonly unusable: ReadonlyMap<string, string>;
}

/**
 * All pages of a server's list.
 *
 * @param signalOf a new signal for each request
 * @throws EspalierError `tool-server-failed`; Error for an endless list, and what the server says
 */
export async function listedTools(
  session: McpSession,
  signalOf: () => AbortSignal,
): Promise<readonly unknown[]> {
  let listed: readonly unknown[] = [];
  const cursors = new Set<string>();
  for (let cursor: string | undefined; cursors.size < maxPages; cursors.add(cursor)) {
    const request = { method: "tools/list", params: cursor === undefined ? {} : { cursor } };
    const { tools, nextCursor } = await session.ask(request, page, signalOf());
    listed = listed.concat(tools);
    if (nextCursor === undefined || nextCursor === null || nextCursor === "") return listed;
    if (cursors.has(nextCursor)) throw new Error("Its list of tools repeats a cursor");
    cursor = nextCursor;
  }
  throw new Error(`Its list of tools has more than ${maxPages} pages`);
}

const maxPages = 200;

const page = z.object({ tools: z.array(z.unknown()), nextCursor: z.string().nullish() });

/** Makes names and schemas fit; of two tools of one name, the first stays. */
export function offeredTools(listed: readonly unknown[]): OfferedTools {
  const unusable = new Map<string, string>();
  const wanted = listed.flatMap((given, index) => {
    const { success, data } = declared.safeParse(given);
    if (!success) unusable.set(`number ${index + 1}`, "it has no name");
    return success ? [data] : [];
  });
  const names = new Set(wanted.map(({ name }) => name));
  const taken = new Set<string>();
  const tools = wanted.flatMap((given): readonly OfferedTool[] => {
    const { name: ownName, description, inputSchema, annotations, execution } = given;
    const name = fittedName(ownName);
    const parameters = readSchema(inputSchema);
    const isTwin = taken.has(name) || (name !== ownName && names.has(name));
    const problem = isTwin
      ? `another tool is called \`${name}\``
      : execution?.taskSupport === "required"
        ? "it runs only as a task"
        : typeof parameters === "string"
          ? parameters
          : undefined;
    if (problem !== undefined || typeof parameters === "string") {
      unusable.set(ownName, problem ?? "");
      return [];
    }
    taken.add(name);
    const isReadOnly = annotations?.readOnlyHint === true;
    const isDescribed = typeof description === "string" && description.trim() !== "";
    const shownDescription = isDescribed ? description : name;
    return [{ name, ownName, description: shownDescription, parameters, isReadOnly }];
  });
  return { tools, unusable };
}

const declared = z.object({
  name: z.string().min(1),
  description: z.string().nullish().catch(null),
  inputSchema: z.unknown().optional(),
  annotations: z.object({ readOnlyHint: z.boolean() }).nullish().catch(null),
  execution: z.object({ taskSupport: z.string() }).nullish().catch(null),
});

/** What `tool()` takes, and all models do. */
function fittedName(name: string): string {
  const fitted = name.replaceAll(/[^A-Za-z0-9_-]+/g, "_");
  return (/^[A-Za-z]/.test(fitted) ? fitted : `tool_${fitted}`).slice(0, 64);
}

const deepest = 100;

/** The schema of an object, or what is wrong with it. */
function readSchema(schema: unknown): Tool["parameters"] | string {
  if (schema === undefined || schema === null) return { type: "object", properties: {} };
  if (!isObject(schema)) return "its schema is not an object";
  if (isDeeperThan(schema, deepest)) return `its schema is nested more than ${deepest} levels deep`;
  // Servers with constrained decoding refuse `$schema`.
  const { $schema: _, type = "object", ...others } = schema;
  const { properties = {}, required = [] } = others;
  const isOfObject = type === "object" || (Array.isArray(type) && type.includes("object"));
  const isWhole =
    isObject(properties) &&
    Object.values(properties).every((one) => isObject(one) || typeof one === "boolean") &&
    Array.isArray(required);
  if (!isOfObject || !isWhole) return "its schema does not describe an object";
  const lost = referencesIn(schema).find((reference) => pointedAt(reference, schema) === undefined);
  if (lost !== undefined) return `its schema has an unresolved reference: ${lost}`;
  return { ...others, type: "object" };
}

function referencesIn(schema: object): readonly string[] {
  const found: string[] = [];
  JSON.stringify(schema, (key, value: unknown) => {
    // A property may have this name too.
    if (key === "$ref" && typeof value === "string") found.push(value);
    return value;
  });
  return found;
}
