import type { RunOptions, Tool, ToolTrace, TraceClock } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import type { ToolCaller } from "../driver/driver.ts";
import { outcomeIn, toolModel, toolRequest } from "../tool/tool-model.ts";
import { callFailure } from "./call-failure.ts";

/** The tools of one agent's call: records each call, and keeps the world as it is if it must. */
export interface ToolSession extends ToolCaller {
  /** Every ended call, in the order they started. */
  readonly records: readonly ToolTrace[];
}

export function toolSession({
  path,
  run,
  clock,
}: {
  /** Path of the agent's call. */
  readonly path: string;
  readonly run: Omit<RunOptions, "lm">;
  readonly clock: Pick<TraceClock, "now">;
}): ToolSession {
  const slots: (ToolTrace | undefined)[] = [];
  const { signal, requestId = "", exampleId = requestId, repetition = 0 } = run;
  const { wrapTool = (model) => model } = run;
  const isWorldFree = run.allowsWorldChanges ?? run.role !== "shadow";
  return {
    get records() {
      return slots.filter((record) => record !== undefined);
    },
    call: async (tool, input, { place, before }) => {
      const callPath = `${path}/${tool.name}[${place}]`;
      const slot = slots.push(undefined) - 1;
      const startMs = clock.now();
      const record = (rest: Pick<ToolTrace, "source" | "output" | "error" | "failure">): void => {
        const latencyMs = clock.now() - startMs;
        const { name } = tool;
        slots[slot] = {
          kind: "tool",
          path: callPath,
          tool: name,
          input,
          startMs,
          latencyMs,
          ...rest,
        };
      };
      try {
        const isStandIn = tool.changesTheWorld && !isWorldFree;
        if (isStandIn && tool.doStandIn === undefined) throw notAllowed(tool, callPath);
        const model = wrapTool(toolModel(tool, { isStandIn }));
        const request = toolRequest(tool, input, { exampleId, callPath, repetition, before });
        const reply = await model.doGenerate(request, {
          role: "tool",
          exampleId,
          callPath,
          ...(signal && { signal }),
        });
        const outcome = outcomeIn(reply);
        record({
          source: reply.source === "server" ? "tool" : "recording",
          ...(outcome.ok ? { output: outcome.value } : { error: outcome.error }),
        });
        return outcome;
      } catch (error) {
        record({ source: "tool", failure: callFailure(error, signal) });
        throw error;
      }
    },
  };
}

function notAllowed({ name }: Tool, callPath: string): EspalierError {
  return new EspalierError({
    code: "tool-not-allowed",
    problem: `The tool \`${name}\` changes the world, which this run may not`,
    where: `call path "${callPath}"`,
    expected: "a tool that changes nothing, or one with a `standIn`",
    fix: "Give the tool a `standIn`, or allow it: `optimize({ allowsWorldChanges: true })`, on the command line --allow-world-changes.",
  });
}
