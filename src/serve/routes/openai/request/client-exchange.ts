import { z } from "zod";
import type { ClientStep } from "../../../../contract/index.ts";
import { ApiError } from "../../../api-error/api-error.ts";
import { invalidParameter } from "../../../api-error/invalid-parameter.ts";
import type { ChatMessage } from "./chat-messages.ts";
import { unreadPart } from "./chat-messages.ts";

const call = z.object({
  id: z.string(),
  function: z.object({
    name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "expected the name of a tool"),
    arguments: z
      .union([z.string(), z.record(z.string(), z.unknown())])
      .nullish()
      .transform((given) => (typeof given === "string" ? given : JSON.stringify(given ?? {}))),
  }),
});

/** A call of an earlier reply, and the parameter that holds it. */
interface MadeCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  readonly param: string;
}

interface OpenStep {
  text: string;
  readonly calls: MadeCall[];
  /** By id of the call. */
  readonly results: Map<string, string>;
}

/**
 * Reads what a client exchanged with the model since its question: messages of the assistant with
 * calls, each followed by the results. Other messages after the question are not read.
 *
 * @throws ApiError 400 for a call without a result, and a result without a call
 */
export function clientExchange(after: readonly ChatMessage[]): {
  readonly steps: readonly ClientStep[];
  readonly messagesRead: number;
} {
  const steps: OpenStep[] = [];
  let messagesRead = 0;
  for (const message of after) {
    const calls = callsOf(message);
    if (calls.length > 0) {
      let step = steps.at(-1);
      // `/v1/responses` has an item for each call of a step.
      if (step === undefined || step.results.size > 0) {
        step = { text: "", calls: [], results: new Map() };
        steps.push(step);
      }
      step.text += message.text;
      step.calls.push(...calls);
    } else if (message.role === "tool" && message.callId !== undefined) {
      addResult(steps.at(-1), message);
    } else continue;
    messagesRead += 1;
  }
  return { steps: steps.map(closed), messagesRead };
}

function callsOf({ role, calls, param }: ChatMessage): readonly MadeCall[] {
  if (role !== "assistant" || !Array.isArray(calls)) return [];
  return calls.map((given: unknown, index) => {
    const within = `${param}.tool_calls[${index}]`;
    const parsed = call.safeParse(given);
    if (!parsed.success) throw invalidParameter(parsed.error, within);
    return { id: parsed.data.id, ...parsed.data.function, param: within };
  });
}

function addResult(
  step: OpenStep | undefined,
  { callId, text, images: [image], param }: ChatMessage,
): void {
  if (image !== undefined) throw unreadPart(image.param, image.type, "results of tools as text");
  const isCalled = step?.calls.some(({ id }) => id === callId) === true;
  if (typeof callId !== "string" || !isCalled) {
    throw invalid(`${param}.tool_call_id`, "no call before it has this id");
  }
  step.results.set(callId, text);
}

function closed({ text, calls, results }: OpenStep): ClientStep {
  return {
    text,
    calls: calls.map(({ id, name, arguments: given, param }) => {
      const result = results.get(id);
      if (result === undefined)
        throw invalid(param, "no message of a tool follows with its result");
      return { name, arguments: given, result };
    }),
  };
}

function invalid(param: string, problem: string): ApiError {
  return new ApiError(400, "invalid_parameter", `\`${param}\`: ${problem}.`, { param });
}
