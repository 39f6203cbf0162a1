import type { LmRequest, RandomSource } from "../../contract/index.ts";
import { randomSource } from "../../internal/index.ts";
import type { LabelChance } from "../ability/index.ts";
import { chooseLabel, readMaterial, writeReply, writeText } from "../ability/index.ts";
import type { Task } from "../reading/index.ts";
import { readRequest, textRoleOf } from "../reading/index.ts";
import { findInstruction, reflect } from "../reflection/index.ts";
import type { ConceptMatcher } from "../steering/index.ts";
import { steer } from "../steering/index.ts";
import type { TextReader } from "../text/index.ts";
import type { MarkedChoice } from "./generated-tokens.ts";

export interface ComposedReply {
  readonly text: string;
  readonly choices: readonly MarkedChoice[];
  /** Where the conclusion comes from, in a sentence. */
  readonly reasoning: string;
}

/** The whole reply to a request, before token limits and stop strings. */
export function composeReply(
  request: LmRequest,
  { reader, match }: { readonly reader: TextReader; readonly match: ConceptMatcher },
): ComposedReply {
  const task = readRequest(request, reader);
  const random = randomSource(request.seed, "rehearsal");
  const { temperature } = request.sampling;
  const tools = {
    reader,
    match,
    random,
    temperature,
    writeInstruction: () =>
      newInstruction({ task, reader, match, random, temperature }) ?? task.instruction,
  };
  const material = readMaterial(task.inputs, reader);
  const steering = steer({ task, field: undefined, reader, match });
  const given = { material, steering, reader };
  const reasoning = writeText("reasoning", given, tools);
  if (task.outputs.length > 0) {
    const { value, choices } = writeReply(task, tools);
    return { ...inJson(value, choices), reasoning };
  }
  const offered = offeredTexts(request);
  if (offered !== undefined)
    return inText(chooseLabel({ ...given, task, field: undefined, labels: offered }), reasoning);
  const instruction = newInstruction({ task, reader, match, random, temperature });
  if (instruction !== undefined) {
    return { text: `\`\`\`\n${instruction}\n\`\`\``, choices: [], reasoning };
  }
  const labels = yesOrNo(task.prompt);
  if (labels !== undefined) {
    return inText(chooseLabel({ ...given, task, field: undefined, labels }), reasoning);
  }
  const role = textRoleOf(task.instruction, reader) === "query" ? "query" : "answer";
  return { text: writeText(role, given, tools), choices: [], reasoning };
}

function newInstruction({
  task,
  ...rest
}: {
  readonly task: Task;
  readonly reader: TextReader;
  readonly match: ConceptMatcher;
  readonly random: RandomSource;
  readonly temperature: number;
}): string | undefined {
  const found = findInstruction(task);
  return found === undefined ? undefined : reflect({ ...found, ...rest, prompt: task.prompt });
}

/** The texts that vLLM's `structured_outputs.choice` restricts the reply to. */
function offeredTexts({ extraBody }: LmRequest): readonly string[] | undefined {
  const constraint = extraBody?.["structured_outputs"];
  const offered =
    typeof constraint === "object" && constraint !== null && "choice" in constraint
      ? constraint["choice"]
      : undefined;
  return Array.isArray(offered) && offered.length > 0 ? offered.map(String) : undefined;
}

function inText(chances: readonly LabelChance[], reasoning: string): ComposedReply {
  const best = chances.reduce((left, right) => (right.chance > left.chance ? right : left));
  return { text: best.label, choices: [{ at: 0, chances }], reasoning };
}

/** "yes" and "no" as the prompt spells them, when it asks for one of the two. */
function yesOrNo(prompt: string): readonly string[] | undefined {
  const match = /\b(yes)\b["'`”’]?\s*(?:or|\/|,|and)\s*["'`“‘]?(no)\b/i.exec(prompt);
  return match === null ? undefined : [match[1] ?? "yes", match[2] ?? "no"];
}

/** Compact JSON, and where in it each chosen label starts. */
function inJson(
  value: unknown,
  choices: readonly (readonly LabelChance[])[],
): Pick<ComposedReply, "text" | "choices"> {
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

/** A label stands after a colon, a bracket or a comma, bare or in quotation marks. */
function placeOf(text: string, label: string, from: number): readonly number[] {
  const quoted = text.indexOf(`:${JSON.stringify(label)}`, from);
  const bare = /^(?:true|false)$/.test(label) ? text.indexOf(`:${label}`, from) : -1;
  return [...(quoted < 0 ? [] : [quoted + 2]), ...(bare < 0 ? [] : [bare + 1])];
}
