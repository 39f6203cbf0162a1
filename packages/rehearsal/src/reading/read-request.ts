import type {
  JsonObject,
  LmMessage,
  LmRequest,
  LmTextMessage,
} from "../../../../src/contract/index.ts";
import { imagesIn, textOfContent } from "../../../../src/contract/index.ts";
import type { TextReader } from "../text/index.ts";
import { readDeclaredInputs } from "./declared-inputs.ts";
import { readInputs } from "./read-inputs.ts";
import { readOutputs } from "./read-outputs.ts";
import { readSections } from "./read-sections.ts";
import type { PastCall } from "./past-calls.ts";
import { pastCalls } from "./past-calls.ts";
import { seenMessage } from "./seen-message.ts";
import type { Demonstration, InputField, Task } from "./task.ts";

/**
 * Takes a request apart. Prompts with tagged sections (fields, task, examples) are read by section;
 * in any other prompt, the system message is the instruction and the last user message is the
 * input. Skips a bad reply and the correction that follows it: the task is the same.
 */
export function readRequest(request: LmRequest, reader: TextReader): Task {
  const messages = plainMessages(request.messages);
  const system = messages
    .filter(({ role }) => role === "system")
    .map(({ content }) => content)
    .join("\n\n");
  const calls = pastCalls(request.messages);
  const shownInputs = section(system, "input_fields");
  const declared = readDeclaredInputs(shownInputs);
  const isTagged = shownInputs?.includes(tagsHeading) === true;
  const current = currentUserMessage(messages, system.includes("<output_fields>"));
  const text = messages[current]?.content ?? "";
  return {
    instruction: section(system, "task_definition") ?? (system === "" ? openingOf(text) : system),
    inputs: [
      ...readInputs({ text: afterExamples(text, isTagged), declared, isTagged, reader }),
      ...calls.filter(isFinding).map(asPassages),
    ],
    outputs: readOutputs(request.responseSchema?.schema, reader),
    demonstrations: readDemonstrations(messages.slice(0, Math.max(0, current)), (shown) =>
      readInputs({ text: shown, declared, isTagged, reader }),
    ),
    ...(request.tools && { calls }),
    prompt: messages.map(({ content }) => content).join("\n\n"),
  };
}

function plainMessages(given: readonly LmMessage[]): readonly LmTextMessage[] {
  const isTagged = given.some(
    ({ role, content }) => role === "system" && textOfContent(content).includes(tagsHeading),
  );
  let before = 0;
  return given.map((message) => {
    const seen = seenMessage(message, { isTagged, before });
    before += imagesIn([message]).length;
    return seen;
  });
}

const tagsHeading = "\n**Tags**: ";

/** An error says nothing of what was asked. */
function isFinding({ result }: PastCall): boolean {
  return !result.startsWith("Error: ");
}

function asPassages({ tool, result }: PastCall): InputField {
  return { title: tool, description: "", text: result, role: "passages" };
}

/** In a prompt of one message, the text before the first heading is the instruction. */
function openingOf(text: string): string {
  const [first, ...others] = readSections(text);
  return first !== undefined && others.length > 0 && text.trim().startsWith(first.text)
    ? first.text
    : "";
}

const realCase = /REAL USER QUERY:\s*/;

/** A tagged text may contain the same words, and comes after them. */
function afterExamples(text: string, isTagged: boolean): string {
  if (!isTagged) return text.split(realCase).at(-1) ?? text;
  const opening = text.startsWith("--- END OF EXAMPLES ---") ? realCase.exec(text) : null;
  return opening === null ? text : text.slice(opening.index + opening[0].length);
}

function currentUserMessage(messages: readonly LmTextMessage[], isSectioned: boolean): number {
  const isUser = ({ role }: LmTextMessage): boolean => role === "user";
  const marked = messages.findLastIndex(
    (message) => isUser(message) && realCase.test(message.content),
  );
  if (marked >= 0) return marked;
  return isSectioned ? messages.findIndex(isUser) : messages.findLastIndex(isUser);
}

/** Text between `<tag>` and `</tag>`, trimmed. */
function section(text: string, tag: string): string | undefined {
  const start = text.indexOf(`<${tag}>`);
  const end = text.indexOf(`</${tag}>`, start);
  return start < 0 || end < 0 ? undefined : text.slice(start + tag.length + 2, end).trim();
}

function readDemonstrations(
  messages: readonly LmTextMessage[],
  inputsOf: (text: string) => Demonstration["inputs"],
): readonly Demonstration[] {
  return messages.flatMap(({ role, content }, index) => {
    const before = messages[index - 1];
    if (role !== "assistant" || before?.role !== "user") return [];
    const outputs = jsonObject(content);
    return outputs === undefined ? [] : [{ inputs: inputsOf(before.content), outputs }];
  });
}

function jsonObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
