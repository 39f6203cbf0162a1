import type {
  Json,
  JsonObject,
  LanguageModel,
  LmReply,
  LmRequest,
  RunOptions,
  Tool,
  ToolOutcome,
  ToolTrace,
  TraceClock,
} from "../../contract/index.ts";
import { defaultSampling, oncePlace, textOfContent, toolReply } from "../../contract/index.ts";
import { EspalierError, messageOf } from "../../errors/index.ts";
import type { ToolCaller } from "../driver/driver.ts";
import {
  anything,
  canonicalJson,
  either,
  excerpt,
  objectOf,
  oncePer,
  oneOf,
  systemClock,
  text,
} from "../../internal/index.ts";
import { callFailure } from "./call-failure.ts";

/** The tools of one agent's call: records each, and has side effects only where a run may. */
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
  const allowsSideEffects = run.allowsSideEffects ?? run.role !== "shadow";
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
        const isMock = tool.hasSideEffects && !allowsSideEffects;
        if (isMock && tool.doMock === undefined) throw notAllowed(tool, callPath);
        const model = wrapTool(toolModel(tool, { isMock }));
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
    problem: `The tool \`${name}\` has side effects, which this run does not allow`,
    where: `call path "${callPath}"`,
    expected: "a tool that changes nothing, or one with a `mock`",
    fix: "Give the tool a `mock`, or allow it: `optimize({ allowsSideEffects: true })`, on the command line --allow-side-effects.",
  });
}

/**
 * A tool behind the interface of an LM, so that what records, counts and replays calls of LMs does
 * so for tools. The request holds the input, the reply the outcome, and neither has tokens. One
 * model for each tool, since wrappers remember the models that they know.
 */
export function toolModel(
  tool: Tool,
  { isMock = false }: { readonly isMock?: boolean } = {},
): LanguageModel {
  return isMock ? mockModel(tool) : realModel(tool);
}

const realModel = oncePer((tool: Tool) => makeModel(tool, false));
const mockModel = oncePer((tool: Tool) => makeModel(tool, true));

/**
 * The request for a call. Equal inputs of a tool that changes nothing are one call; each call of
 * one with side effects is a call of its own.
 */
export function toolRequest(
  { hasSideEffects }: Tool,
  input: JsonObject,
  place: JsonObject,
): LmRequest {
  return {
    messages: [{ role: "tool", content: canonicalJson(input) }],
    sampling: defaultSampling,
    seed: 0,
    ...(hasSideEffects && { extraBody: { [oncePlace]: place } }),
  };
}

/** @throws EspalierError `file-malformed`: it may come from a cache or another process */
export function outcomeIn({ content, model }: LmReply): ToolOutcome {
  const outcome = outcomeOrUndefined(content ?? "");
  if (outcomeShape(outcome) === null) return outcome as ToolOutcome;
  throw new EspalierError({
    code: "file-malformed",
    problem: `A cached result of the tool \`${model}\` is malformed`,
    expected: '{ "ok": true, "value": ... } or { "ok": false, "error": "..." }',
    got: excerpt(content ?? "null", 80),
    fix: "Run it again without the cache that holds it.",
  });
}

/** A tool's own value may be nested to any depth. */
function outcomeOrUndefined(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

const outcomeShape = either(
  objectOf({ ok: oneOf(true), value: anything }),
  objectOf({ ok: oneOf(false), error: text }),
);

function makeModel(tool: Tool, isMock: boolean): LanguageModel {
  const version = isMock ? `${tool.version}+mock` : tool.version;
  return {
    identity: { provider: "tool", model: `${tool.name}/${version}` },
    doGenerate: async ({ messages: [message] }, { signal } = {}) => {
      signal?.throwIfAborted();
      const startMs = systemClock.now();
      const input = JSON.parse(textOfContent(message?.content)) as JsonObject;
      const outcome = await bounded(tool, input, { signal, isMock });
      return toolReply(outcome, tool.name, systemClock.now() - startMs);
    },
  };
}

async function bounded(
  tool: Tool,
  input: JsonObject,
  { signal, isMock }: { readonly signal: AbortSignal | undefined; readonly isMock: boolean },
): Promise<ToolOutcome> {
  const late = new AbortController();
  const ended = Promise.withResolvers<never>();
  const end = (): void => ended.reject(signal?.reason);
  const timer = setTimeout(() => {
    late.abort(new DOMException("The tool took too long", "TimeoutError"));
    // A tool that waits for a server says first that the server is at fault.
    setImmediate(() => ended.reject(late.signal.reason));
  }, tool.timeoutMs);
  signal?.addEventListener("abort", end, { once: true });
  const either = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]);
  try {
    const options = { signal: either };
    const running = isMock ? tool.doMock?.(input, options) : tool.doCall(input, options);
    const value = await Promise.race([running, ended.promise]);
    return { ok: true, value: checkedJson(value, tool) };
  } catch (error) {
    signal?.throwIfAborted();
    // A server's fault is no observation, and must not be scored.
    if (EspalierError.isInstance(error) && error.kind === "infrastructure") throw error;
    if (late.signal.aborted) {
      return { ok: false, error: `The tool gave no result within ${tool.timeoutMs} ms` };
    }
    return { ok: false, error: messageOf(error) };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
}

/** Tools are users' code, and may return anything. */
function checkedJson(value: Json | undefined, { name }: Tool): Json {
  const problem = `The tool \`${name}\` returned what JSON cannot hold`;
  let text: string | undefined;
  try {
    text = JSON.stringify(value ?? null);
  } catch (error) {
    throw new Error(`${problem}: ${messageOf(error)}`, { cause: error });
  }
  if (text === undefined) throw new Error(`${problem}: a ${typeof value}`);
  return value ?? null;
}
