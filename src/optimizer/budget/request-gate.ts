import type { LanguageModel } from "../../contract/index.ts";
import { admission } from "./admission.ts";
import type { Budget } from "./budget.ts";

/**
 * Keeps the calls that reach tools under their cap. It wraps the tool directly, so recorded results
 * do not count, and a call that is made again after a kill counts twice.
 */
export interface ToolGate {
  wrap(tool: LanguageModel): LanguageModel;
}

/** @param made calls that earlier processes may have made, those of unknown end among them */
export function toolGate({ toolCalls }: Budget, made = 0): ToolGate {
  const calls = admission("toolCalls", toolCalls, made);
  return {
    wrap: (tool) => ({
      identity: tool.identity,
      doGenerate: async (request, options) => {
        if (options?.role !== "tool") return tool.doGenerate(request, options);
        // What was made elsewhere was let through there.
        const isMade = options.made !== undefined;
        if (!isMade) await calls.admit(1);
        let actual = 1;
        try {
          const reply = await tool.doGenerate(request, options);
          if (reply.source !== "server") actual = 0;
          return reply;
        } finally {
          if (isMade) calls.add(actual);
          else calls.settle(1, actual);
        }
      },
    }),
  };
}
