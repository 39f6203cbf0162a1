import type { TraceNode } from "../contract/index.ts";
import type { ErrorCode, FailureKind } from "../errors/index.ts";
import { errorCodes } from "../errors/index.ts";
import { excerpt, joinNames, oneLine } from "../internal/index.ts";
import type { Evaluation } from "./evaluation.ts";

/** Examples that failed in the same way. */
export interface FailureGroup {
  readonly code: ErrorCode;
  readonly kind: FailureKind;
  /** The code's meaning, in one sentence. */
  readonly meaning: string;
  /** Message of the first failure in the group. */
  readonly message: string;
  readonly exampleIds: readonly string[];
}

/** A row that completed and scored low. */
export interface LowRow {
  readonly exampleId: string;
  readonly value: number;
  readonly feedback?: string;
  /** What the model was last told of a tool that failed, with its name. */
  readonly toolError?: string;
}

export interface FailureTable {
  /** Most frequent first. */
  readonly groups: readonly FailureGroup[];
  /** Lowest first, ties in order of the examples. */
  readonly lowest: readonly LowRow[];
}

/** The failures of an evaluation by code, then the rows that scored lowest. */
export function failureTable(evaluation: Evaluation, lowestCount = 5): FailureTable {
  const failures = evaluation.rows.flatMap(({ exampleId, failure, runs }) => {
    const first = failure ?? runs?.find((run) => run.failure !== undefined)?.failure;
    return first === undefined ? [] : [{ exampleId, failure: first }];
  });
  const groups = [...Map.groupBy(failures, ({ failure }) => failure.code)]
    .map(([code, members]): FailureGroup => {
      const [kind, meaning] = errorCodes[code];
      const message = members[0]?.failure.message ?? meaning;
      return { code, kind, meaning, message, exampleIds: members.map((row) => row.exampleId) };
    })
    .toSorted((left, right) => right.exampleIds.length - left.exampleIds.length);
  const lowest = evaluation.rows
    .flatMap(({ exampleId, score, failure, trace }): LowRow[] => {
      if (score.kind !== "scored" || failure !== undefined) return [];
      const { value, feedback } = score;
      const toolError = [...toolErrorsIn(trace.children)].at(-1);
      return [
        {
          exampleId,
          value,
          ...(feedback === undefined ? {} : { feedback }),
          ...(toolError === undefined ? {} : { toolError }),
        },
      ];
    })
    .toSorted((left, right) => left.value - right.value)
    .slice(0, lowestCount);
  return { groups, lowest };
}

function* toolErrorsIn(nodes: readonly TraceNode[]): Generator<string> {
  for (const node of nodes) {
    if (node.kind === "scope") yield* toolErrorsIn(node.children);
    for (const { tool, error } of (node.kind === "predictor" && node.tools) || []) {
      if (error !== undefined) yield `${tool}: ${error}`;
    }
  }
}

/** The table as plain text, one line per group or row, each text cut at 100 characters. */
export function formatFailureTable({ groups, lowest }: FailureTable): string {
  const failed = groups.flatMap(({ code, kind, meaning, message, exampleIds }) => [
    `${exampleIds.length} x ${code} (${kind}): ${meaning}`,
    `  examples: ${joinNames(exampleIds.map(shown))}`,
    `  first: ${shown(message)}`,
  ]);
  const low = lowest.map(({ exampleId, value, feedback, toolError }) => {
    const toolErrors = toolError === undefined ? [] : [`[${shown(toolError)}]`];
    const said = feedback === undefined ? [] : [shown(feedback)];
    return `  ${[value.toFixed(4), shown(exampleId), ...said, ...toolErrors].join("  ")}`;
  });
  return [
    ...(failed.length === 0 ? ["No run failed."] : ["Failures:", ...failed]),
    ...(low.length === 0 ? [] : ["Lowest scores:", ...low]),
  ].join("\n");
}

function shown(text: string): string {
  return excerpt(oneLine(text), 100);
}
