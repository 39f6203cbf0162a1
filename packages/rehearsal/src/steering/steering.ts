import type { OutputField, Task } from "../reading/index.ts";
import type { Behaviour } from "./behaviour.ts";
import { levelOf } from "./behaviour.ts";
import type { Clause, ClauseReader } from "./clauses.ts";

/** What instruction, description and demonstrations ask of one output. */
export interface Steering {
  readonly clauses: readonly Clause[];
  /** In [0, 1]. */
  level(behaviour: Behaviour): number;
}

/**
 * Reads what applies to one output: its own description, and every clause of the instruction except
 * those that mention another output by name.
 */
export function steer({
  task,
  field,
  readClauses,
}: {
  readonly task: Task;
  readonly field: OutputField | undefined;
  readonly readClauses: ClauseReader;
}): Steering {
  const others = task.outputs.filter((output) => output !== field).map(({ key }) => key);
  const clauses = readClauses(task.instruction).filter(
    ({ text }) => speaksOf(text, field?.key) || !others.some((key) => speaksOf(text, key)),
  );
  const own = readClauses(field?.description ?? "");
  const strength = dilution(clauses);
  const all = [...own, ...clauses];
  return {
    clauses: all,
    level: (behaviour) => {
      const instructed = levelOf(behaviour, all) * strength;
      const { shownBy } = behaviour;
      if (shownBy === undefined || task.demonstrations.length === 0) return instructed;
      const shown = task.demonstrations.map(shownBy).reduce((sum, level) => sum + level, 0);
      return Math.max(instructed, shown / task.demonstrations.length);
    },
  };
}

/**
 * Mentions an output in a way that no ordinary word is mistaken for it: in quotation marks, or by a
 * name that is not a word (`rerankQuery`, `rerank_query`, `query1`).
 */
function speaksOf(text: string, key: string | undefined): boolean {
  if (key === undefined) return false;
  if (/[a-z][A-Z]|_|\d/.test(key)) return text.includes(key);
  return ["`", '"', "'"].some((quote) => text.includes(`${quote}${key}${quote}`));
}

/** Number of words up to which an instruction has its full effect. */
const wordsTakenIn = 600;

/**
 * Share of its strength that an instruction keeps, in (0, 1]: longer instructions are followed
 * less.
 */
function dilution(clauses: readonly Clause[]): number {
  const count = clauses.reduce((sum, { wordCount }) => sum + wordCount, 0);
  return Math.min(1, wordsTakenIn / Math.max(1, count));
}
