import type { LanguageModel } from "../../../../src/contract/index.ts";
import { EspalierError } from "../../../../src/errors/index.ts";
import { remoteCall } from "../../../../src/lm/index.ts";
import type { RunExampleOptions } from "../../../../src/runner/index.ts";
import type { QueuedCall } from "../job/queued-run.ts";

/**
 * Takes calls that a worker made through the LMs that would have been asked here, so that each is
 * counted, charged and recorded as if it had been made here.
 *
 * @throws what a wrapper throws that cannot do so
 */
export async function settledCalls(
  calls: readonly QueuedCall[],
  { options, judgeLm }: Pick<RunExampleOptions<unknown, unknown, unknown>, "options" | "judgeLm">,
): Promise<void> {
  const { signal: _signal, lm, lms = {}, wrapTool = (tool) => tool } = options;
  const lmOf = ({ asked }: QueuedCall): LanguageModel => {
    if (asked.kind === "judge") return judgeLm;
    if (asked.kind === "named") return (Object.hasOwn(lms, asked.name) && lms[asked.name]) || lm;
    return asked.kind === "tool" ? wrapTool(remoteCall(neverCalled(asked.identity))) : lm;
  };
  for (const call of calls) {
    const { request, options: about, made } = call;
    try {
      await lmOf(call).doGenerate(request, { ...about, made });
    } catch (error) {
      const isItsOwn = "failure" in made && EspalierError.isInstance(error);
      if (!isItsOwn || error.code !== made.failure.code) throw error;
    }
  }
}

function neverCalled(identity: LanguageModel["identity"]): LanguageModel {
  return {
    identity,
    doGenerate: () => Promise.reject(new Error("A tool of a worker was called elsewhere.")),
  };
}
