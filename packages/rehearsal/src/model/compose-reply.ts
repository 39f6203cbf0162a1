import type { JsonObject, LmRequest, RandomSource } from "../../../../src/contract/index.ts";
import { drawFrom, randomSource } from "../../../../src/internal/index.ts";
import type { NextCall, WriterTools, WrittenReply } from "../ability/index.ts";
import {
  chooseLabel,
  nextCalls,
  readMaterial,
  writeReply,
  writeText,
  yesOrNo,
} from "../ability/index.ts";
import type { Task } from "../reading/index.ts";
import { readRequest, textRoleOf } from "../reading/index.ts";
import { findInstruction, reflect } from "../reflection/index.ts";
import type { ClauseReader } from "../steering/index.ts";
import { steer } from "../steering/index.ts";
import type { TextReader } from "../text/index.ts";
import type { MarkedChoice } from "./generated-tokens.ts";

export interface ComposedReply {
  readonly text: string;
  readonly choices: readonly MarkedChoice[];
  /** Explains the conclusion in a sentence; present if thinking was requested. */
  readonly reasoning?: string;
  /** Calls of tools, in place of a text. */
  readonly calls?: readonly NextCall[];
}

/** The full reply to a request, before token limits and stop strings apply. */
export function composeReply(
  request: LmRequest,
  { reader, readClauses }: { readonly reader: TextReader; readonly readClauses: ClauseReader },
): ComposedReply {
  const task = readRequest(request, reader);
  const { temperature } = request.sampling;
  const random = drawFrom(lazily(() => randomSource(request.seed, "rehearsal")));
  const learned = (): string | undefined =>
    newInstruction({ task, reader, readClauses, random, temperature });
  const tools: WriterTools = {
    reader,
    readClauses,
    random,
    temperature,
    writeInstruction: () => learned() ?? task.instruction,
  };
  const { calls = [] } = task;
  const composed: ComposedReply = isAgentStep(request)
    ? {
        text: "",
        choices: [],
        calls: nextCalls({
          tools: request.tools ?? [],
          past: calls,
          guidance: task.instruction,
          material: readMaterial(task.inputs, reader),
          reader,
          query: () => writeText("query", givenOf(task, tools), tools),
        }),
      }
    : task.outputs.length > 0
      ? inJson(withSql(writeReply(task, tools), task))
      : plainReply({ task, tools, offered: offeredTexts(request), learned });
  if (request.thinking !== true) return composed;
  return { ...composed, reasoning: writeText("reasoning", givenOf(task, tools), tools) };
}

/** Whether tools may be called; the rest of the conversation has the calls so far. */
function isAgentStep({ tools = [], toolChoice = "auto" }: LmRequest): boolean {
  return tools.length > 0 && toolChoice !== "none";
}

/** An output that is to be SQL is the query that was tried last. */
function withSql(written: WrittenReply, { outputs, calls = [] }: Task): WrittenReply {
  const tried = calls.flatMap(({ input }) =>
    Object.values(input).filter((value) => typeof value === "string" && /^select\b/i.test(value)),
  );
  const sql = tried.at(-1);
  const field = outputs.find(({ description }) => /\bSQL\b/i.test(description));
  if (sql === undefined || field === undefined) return written;
  return { ...written, value: { ...(written.value as JsonObject), [field.key]: sql } };
}

/** Most requests draw nothing, and seeding a generator is slow. */
function lazily(make: () => RandomSource): () => number {
  let made: RandomSource | undefined;
  return () => {
    made ??= make();
    return made.random();
  };
}

/**
 * A reply that need not be JSON: one of the offered texts, an instruction, yes or no, or free text.
 */
function plainReply({
  task,
  tools,
  offered,
  learned,
}: {
  readonly task: Task;
  readonly tools: WriterTools;
  readonly offered: readonly string[] | undefined;
  readonly learned: () => string | undefined;
}): ComposedReply {
  const given = givenOf(task, tools);
  const instruction = offered === undefined ? learned() : undefined;
  if (instruction !== undefined) return { text: `\`\`\`\n${instruction}\n\`\`\``, choices: [] };
  const labels = offered ?? yesOrNo(task.prompt);
  if (labels !== undefined) {
    const chances = chooseLabel({ ...given, task, field: undefined, labels });
    const best = chances.reduce((left, right) => (right.chance > left.chance ? right : left));
    return { text: best.label, choices: [{ at: 0, chances }] };
  }
  const role = textRoleOf(task.instruction, tools.reader) === "query" ? "query" : "answer";
  return { text: writeText(role, given, tools), choices: [] };
}

function givenOf(
  task: Task,
  { reader, readClauses }: WriterTools,
): Parameters<typeof writeText>[1] & Pick<WriterTools, "readClauses"> {
  const steering = steer({ task, field: undefined, readClauses });
  return { material: readMaterial(task.inputs, reader), steering, reader, readClauses };
}

function newInstruction({
  task,
  ...rest
}: {
  readonly task: Task;
  readonly reader: TextReader;
  readonly readClauses: ClauseReader;
  readonly random: RandomSource;
  readonly temperature: number;
}): string | undefined {
  const found = findInstruction(task);
  return found === undefined ? undefined : reflect({ ...found, ...rest, prompt: task.prompt });
}

/** The texts to which vLLM's `structured_outputs.choice` restricts the reply. */
function offeredTexts({ extraBody }: LmRequest): readonly string[] | undefined {
  const constraint = extraBody?.["structured_outputs"];
  const offered =
    typeof constraint === "object" && constraint !== null && "choice" in constraint
      ? constraint["choice"]
      : undefined;
  return Array.isArray(offered) && offered.length > 0 ? offered.map(String) : undefined;
}

/** Compact JSON and the position of each chosen label in it. */
function inJson({ value, choices }: WrittenReply): ComposedReply {
  const text = JSON.stringify(value);
  let from = 0;
  const marked = choices.flatMap((chances): readonly MarkedChoice[] => {
    const places = chances.flatMap(({ label }) => placeOf(text, label, from));
    const at = Math.min(...places);
    if (!Number.isFinite(at)) return [];
    from = at + 1;
    return [{ at, chances }];
  });
  return { text, choices: marked };
}

/** A label follows a colon, a bracket or a comma, with or without quotation marks. */
function placeOf(text: string, label: string, from: number): readonly number[] {
  const quoted = text.indexOf(`:${JSON.stringify(label)}`, from);
  const bare = /^(?:true|false)$/.test(label) ? text.indexOf(`:${label}`, from) : -1;
  return [...(quoted < 0 ? [] : [quoted + 2]), ...(bare < 0 ? [] : [bare + 1])];
}
