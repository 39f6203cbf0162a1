import type { LmRole, LmUsage, TraceNode } from "../../contract/index.ts";
import { countedTokens } from "../../ledger/index.ts";

/** Usage of LM calls, as if nothing were cached. */
export interface Usage {
  readonly calls: number;
  /** Those whose server did not say how many tokens they took; absent: none. */
  readonly uncountedCalls?: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** Usage by role; an absent role made no calls. */
export type RoleUsage = { readonly [Role in LmRole]?: Usage };

/** Usage of a run by role; student and reflection are always present. */
export type UsageByRole = RoleUsage & Readonly<Record<"student" | "reflection", Usage>>;

export const noUsage: Usage = Object.freeze({ calls: 0, promptTokens: 0, completionTokens: 0 });

export function sumUsage(usages: Iterable<Usage>): Usage {
  const sum = { ...noUsage };
  let uncountedCalls = 0;
  for (const usage of usages) {
    if (usage === noUsage) continue;
    sum.calls += usage.calls;
    sum.promptTokens += usage.promptTokens;
    sum.completionTokens += usage.completionTokens;
    uncountedCalls += usage.uncountedCalls ?? 0;
  }
  return uncountedCalls === 0 ? sum : { ...sum, uncountedCalls };
}

/** Adds up usage by role; a role is in the sum if any part has it. */
export function sumByRole(parts: Iterable<RoleUsage>): RoleUsage {
  const sums: { [Role in LmRole]?: Usage } = {};
  for (const part of parts) {
    for (const [role, usage] of usageEntries(part)) {
      const before = sums[role];
      sums[role] = before === undefined ? usage : sumUsage([before, usage]);
    }
  }
  return sums;
}

/** Total over all roles that are LMs. */
export function totalUsage(byRole: RoleUsage): Usage {
  const { tool: _, ...ofLms } = byRole;
  return sumUsage(Object.values(ofLms));
}

/** Calls of tools, which are no LM calls. */
export function toolCallsOf(byRole: RoleUsage): number {
  return byRole.tool?.calls ?? 0;
}

function usageEntries(byRole: RoleUsage): readonly (readonly [LmRole, Usage])[] {
  return Object.entries(byRole) as [LmRole, Usage][];
}

/** Usage of the answered calls in a trace. */
export function usageOf(nodes: readonly TraceNode[]): Usage {
  return totalUsage(usageByRoleOf(nodes));
}

/**
 * The same by role: predictor calls count as `student`, or as the role given, and calls of rankers
 * as `reranking`.
 */
export function usageByRoleOf(
  nodes: readonly TraceNode[],
  ofPredictors: LmRole = "student",
): RoleUsage {
  return sumByRole(usagesIn(nodes, ofPredictors));
}

function* usagesIn(nodes: readonly TraceNode[], ofPredictors: LmRole): Generator<RoleUsage> {
  for (const node of nodes) {
    if (node.kind === "scope") {
      yield* usagesIn(node.children, ofPredictors);
      continue;
    }
    const role = node.kind === "predictor" ? ofPredictors : "reranking";
    if (node.kind === "predictor") {
      for (const _ of node.tools ?? []) yield { tool: oneCall(noUsage) };
    }
    for (const { usage } of node.calls ?? []) if (usage !== null) yield { [role]: oneCall(usage) };
  }
}

/** Usage of one answered call. */
export function oneCall(usage: Pick<LmUsage, "promptTokens" | "completionTokens">): Usage {
  return { calls: 1, ...countedTokens(usage) };
}
