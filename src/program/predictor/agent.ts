import type { Tool } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { checkCount, contentHash } from "../../internal/index.ts";
import type { FieldSchemas, Signature } from "../../signature/index.ts";
import { agentDriver } from "../driver/agent-driver.ts";
import type { AgentSettings } from "../driver/driver.ts";
import { makePredictor } from "./make-predictor.ts";
import type { Predictor, PredictorOptions } from "./predictor.ts";

export interface AgentOptions<
  TInput extends FieldSchemas,
  TOutput extends FieldSchemas,
> extends Omit<PredictorOptions, "driver" | "agent"> {
  readonly signature: Signature<TInput, TOutput>;
  /**
   * From `tool()`, or from an extension such as `mcpTools()`; their names are unique. May be empty
   * with `clientTools`.
   */
  readonly tools: readonly Tool[];
  /**
   * Requests in which the model may ask for tools; it is then asked for the outputs. A hard limit.
   * @default 8
   */
  readonly maxSteps?: number;
  /** Calls of tools in one run of the agent, invalid ones among them; a hard limit. @default 32 */
  readonly maxToolCalls?: number;
  /**
   * How the model asks for tools: as the server's own tool calls, or, on a server without a parser
   * for them, as JSON with a schema. `espalier doctor` tries it. @default "native"
   */
  readonly calls?: AgentSettings["calls"];
  /**
   * Whether who runs the program may bring tools of their own, as clients of a server do with
   * `tools`. A run ends where the model asks for such a tool, and begins anew with its result, so
   * none of the agent's own tools may have side effects. One agent of a program may take them.
   * @default false
   */
  readonly clientTools?: boolean;
}

/**
 * Takes steps until it has the outputs of a signature: in each the model may call tools, several at
 * once, and sees their results (ReAct, Yao et al. 2023). Unlike `predict()`, which asks once.
 *
 * An optimizer may rewrite its instruction and the descriptions of its tools and their arguments.
 *
 * @throws EspalierError `option-invalid`
 * @example
 * const research = agent({ signature: answerQuestion, tools: [search, calculator], maxSteps: 6 });
 */
export function agent<TInput extends FieldSchemas, TOutput extends FieldSchemas>({
  signature,
  tools,
  maxSteps = 8,
  maxToolCalls = 32,
  calls = "native",
  clientTools = false,
  ...options
}: AgentOptions<TInput, TOutput>): Predictor<TInput, TOutput> {
  checkCount("maxSteps", maxSteps);
  checkCount("maxToolCalls", maxToolCalls);
  const invalid = (expected: string, got: string): EspalierError =>
    new EspalierError({
      code: "option-invalid",
      problem: "The agent's tools are invalid",
      where: `signature "${signature.name}"`,
      expected,
      got,
    });
  const names = tools.map(({ name }) => name);
  if ((tools.length === 0 && !clientTools) || new Set(names).size !== names.length) {
    throw invalid("at least one tool, each with a unique name", names.join(", ") || "none");
  }
  const changing = tools.find(({ hasSideEffects }) => hasSideEffects);
  if (clientTools && changing !== undefined) {
    throw invalid(
      "with `clientTools`, only tools without side effects: each result from a client starts the run again, and repeats its calls",
      `\`${changing.name}\``,
    );
  }
  const limits = { maxSteps, maxToolCalls, calls };
  const described = tools.map(({ name, version, parameters }) => [
    name,
    { version, parameters: contentHash(parameters).slice(0, 16) },
  ]);
  return makePredictor("agent", signature, {
    ...options,
    driver: agentDriver(tools, limits),
    agent: {
      ...limits,
      tools: Object.fromEntries(described) as AgentSettings["tools"],
      ...(clientTools && { clientTools }),
    },
  });
}
