import { z } from "zod";
import type { ClientTools, LmTool } from "../../../../contract/index.ts";
import { clientToolsProblem, takersOfClientTools } from "../../../../program/index.ts";
import { ApiError } from "../../../api-error/api-error.ts";
import { invalidParameter } from "../../../api-error/invalid-parameter.ts";
import type { ServedModel } from "../../../model/served-model.ts";
import { clientExchange } from "./client-exchange.ts";
import { jsonSchema } from "./json-schema.ts";
import type { ChatMessage } from "./chat-messages.ts";

/** What a request says of tools, before anybody knows whether its model takes any. */
export interface SentTools {
  /** In the form of chat completions; unchecked. */
  readonly tools: readonly unknown[];
  readonly choice: unknown;
  readonly isParallel: boolean;
}

type ToolFields = {
  readonly tools: z.ZodOptional<z.ZodNullable<z.ZodType<readonly unknown[]>>>;
  readonly tool_choice: z.ZodOptional<z.ZodUnknown>;
  readonly parallel_tool_calls: z.ZodOptional<z.ZodNullable<z.ZodBoolean>>;
};

/** As many as OpenAI's API takes. */
const mostTools = 128;

/** Tools in the body of a request. */
export const toolFields: ToolFields = {
  tools: z
    .custom<readonly unknown[]>(
      (value) => Array.isArray(value) && value.length <= mostTools,
      `expected at most ${mostTools} tools`,
    )
    .nullish(),
  tool_choice: z.unknown().optional(),
  parallel_tool_calls: z.boolean().nullish(),
};

export function sentTools({
  tools,
  tool_choice: choice,
  parallel_tool_calls: isParallel,
}: z.infer<z.ZodObject<ToolFields>>): SentTools {
  return { tools: tools ?? [], choice: choice ?? "auto", isParallel: isParallel ?? true };
}

const tool = z.object({
  type: z.literal("function", "expected a tool of type `function`"),
  function: z.object({
    name: z.string(),
    description: z.string().nullish(),
    parameters: jsonSchema.nullish(),
  }),
});

/**
 * What the request's client brings to the model's program, and how many of the messages after the
 * question it takes; `null`: the program takes no tools, and the client brings none.
 *
 * @throws ApiError 400, naming the tool or the message that does not fit
 */
export function clientToolsOf(
  { sent, after }: { readonly sent: SentTools; readonly after: readonly ChatMessage[] },
  { program, id }: ServedModel,
): { readonly clientTools: ClientTools; readonly messagesRead: number } | null {
  if (takersOfClientTools(program).length === 0) {
    if (sent.tools.length === 0) return null;
    throw unsupported(
      "tools",
      `\`tools\` is not supported by the model \`${id}\`: it is a program with steps of its own, none of which calls tools of the client. Ask without \`tools\`, or let an agent of the program take them (\`clientTools: true\`).`,
    );
  }
  const tools = sent.tools.map(toolOf);
  const found = clientToolsProblem(program, tools);
  if (found !== null) {
    const param = `tools[${found.index}]`;
    throw new ApiError(400, "invalid_parameter", `\`${param}\`: ${found.problem}.`, { param });
  }
  const { steps, messagesRead } = clientExchange(after);
  const { isParallel } = sent;
  return {
    clientTools: { tools, isAllowed: isAllowed(sent), isParallel, steps },
    messagesRead,
  };
}

function toolOf(given: unknown, index: number): LmTool {
  const parsed = tool.safeParse(given);
  if (!parsed.success) throw invalidParameter(parsed.error, `tools[${index}]`);
  const { name, description, parameters } = parsed.data.function;
  return {
    name,
    description: description ?? "",
    parameters: parameters ?? { type: "object", properties: {} },
  };
}

function isAllowed({ tools, choice }: SentTools): boolean {
  if (tools.length === 0 || choice === "auto") return true;
  if (choice === "none") return false;
  throw unsupported(
    "tool_choice",
    "`tool_choice`: this server takes `auto` and `none`, since a program decides itself which step it takes. For an object, ask for a JSON schema as the format of the answer.",
  );
}

function unsupported(param: string, message: string): ApiError {
  return new ApiError(400, "unsupported_parameter", message, { param });
}
