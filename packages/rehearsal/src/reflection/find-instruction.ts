import type { Task } from "../reading/index.ts";

/** The two halves of a reflection prompt. */
export interface ReflectionPrompt {
  readonly current: string;
  readonly cases: string;
  /** An earlier proposal that was rejected; empty if there is none. */
  readonly refused: string;
}

/**
 * Finds the instruction to improve and the worked cases: in fields (the requested output is an
 * instruction), or in plain text, where the first fenced block is the instruction and feedback
 * follows it. `undefined` if the request is not a reflection.
 */
export function findInstruction(task: Task): ReflectionPrompt | undefined {
  if (task.outputs.length > 0) return fromFields(task);
  const { prompt } = task;
  if (!/\binstructions?\b|\bprompt\b/i.test(prompt) || !/\bfeedback\b/i.test(prompt)) {
    return undefined;
  }
  const fenced = /```[a-z]*\n([\s\S]*?)\n?```/.exec(prompt);
  if (fenced === null) return undefined;
  return {
    current: (fenced[1] ?? "").trim(),
    cases: casesIn(prompt.slice(fenced.index + fenced[0].length)),
    refused: "",
  };
}

/**
 * Up to the last fence, if there is a second block: the text after it is the request, not a case.
 */
function casesIn(rest: string): string {
  const end = rest.lastIndexOf("```");
  return end < 0 ? rest : rest.slice(0, end);
}

function fromFields({ inputs, outputs }: Task): ReflectionPrompt | undefined {
  if (!outputs.some(({ role }) => role === "instruction")) return undefined;
  const isInstruction = ({ title, description }: Task["inputs"][number]): boolean =>
    /\binstructions?\b|\bprompt\b/i.test(description === "" ? title : description);
  const current = inputs.find(
    (input) => isInstruction(input) && !/\bfeedback\b/i.test(input.description),
  );
  const isRefused = ({ description }: Task["inputs"][number]): boolean =>
    /\b(?:refused|rejected)\b/i.test(description);
  const isTask = ({ description }: Task["inputs"][number]): boolean =>
    /\bwhat to write\b/i.test(description);
  const textOf = (shown: typeof inputs): string => shown.map(({ text }) => text).join("\n\n");
  const others = inputs.filter((input) => input !== current);
  return {
    current: current?.text ?? "",
    cases: textOf(others.filter((input) => !isRefused(input) && !isTask(input))),
    refused: textOf(others.filter(isRefused)),
  };
}
