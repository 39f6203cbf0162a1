import { hash } from "node:crypto";
import type {
  LanguageModel,
  LmCallOptions,
  LmCallRecord,
  LmReply,
  LmRole,
  RunOptions,
  TraceClock,
} from "../../contract/index.ts";
import { linkedAbort, wellFormed, withWholeEscapes } from "../../internal/index.ts";
import { callFailure } from "./call-failure.ts";
import type { DriverSession } from "../driver/driver.ts";
import type { OutputStream } from "./output-stream.ts";

export interface LmSession extends DriverSession {
  /** Every completed request, in the order they started. */
  readonly records: readonly LmCallRecord[];
}

export interface LmSessionOptions {
  /** Path of the requesting call. */
  readonly path: string;
  readonly role: LmRole;
  readonly run: Pick<
    RunOptions,
    "seed" | "exampleId" | "requestId" | "repetition" | "signal" | "onDelta"
  >;
  readonly clock: Pick<TraceClock, "now">;
  readonly stream?: OutputStream | undefined;
  /**
   * Whether requests may set their own `callPath`, below the path, and be aborted individually: for
   * concurrent requests. @default false
   */
  readonly namesRequests?: boolean;
}

/**
 * An LM for one call: seeds, addresses and records each request. Requests with the same name are
 * numbered in the order they start, so concurrent requests must have names, or start in an order
 * that does not depend on timing.
 */
export function lmSession(
  lm: LanguageModel,
  { path, role, run, clock, stream, namesRequests = false }: LmSessionOptions,
): LmSession {
  const { seed = 0, requestId = "", exampleId = requestId, repetition = 0 } = run;
  const { signal: runSignal, onDelta } = run;
  const slots: (LmCallRecord | undefined)[] = [];
  const taken = new Set<string>();
  // A predictor that receives a session numbers its corrections with `#`, so named sessions use
  // `+`.
  const mark = namesRequests ? "+" : "#";
  const addressOf = (name: string | undefined): string => {
    const own = namesRequests && name !== undefined ? `${path}/${name}` : path;
    let address = own;
    for (let number = 1; taken.has(address); number++) address = `${own}${mark}${number}`;
    taken.add(address);
    return address;
  };
  const listening = (
    heard: OutputStream | undefined,
  ): Pick<LmCallOptions, "onDelta" | "onRestart"> => ({
    ...((onDelta ?? heard) && {
      onDelta: (delta) => {
        onDelta?.(path, delta);
        heard?.add(delta);
      },
    }),
    // `onDelta` listeners cannot retract text, so only streams of outputs may restart.
    ...(heard && !onDelta && { onRestart: () => heard.begin() }),
  });
  const generating =
    (heard: OutputStream | undefined): LanguageModel["doGenerate"] =>
    async (request, given = {}) => {
      const callPath = addressOf(given.callPath);
      const slot = slots.push(undefined) - 1;
      const messages = wellFormed(request.messages);
      const seeded = {
        ...request,
        messages,
        seed: callSeed(seed, exampleId, callPath, repetition),
      };
      const own = namesRequests ? given.signal : undefined;
      const either = own && linkedAbort([runSignal, own]);
      const signal = either?.signal ?? runSignal;
      const startMs = clock.now();
      let retries = 0;
      const record = (reply: LmReply | null, failure?: LmCallRecord["failure"]): void => {
        slots[slot] = {
          messages: seeded.messages,
          seed: seeded.seed,
          rawText: reply?.content ?? null,
          reasoning: reply?.reasoning ?? null,
          ...(reply?.toolCalls && { toolCalls: reply.toolCalls }),
          finishReason: reply?.finishReason ?? null,
          usage: reply?.usage ?? null,
          startMs,
          latencyMs: clock.now() - startMs,
          retries,
          source: reply?.source ?? null,
          ...(failure === undefined ? {} : { failure }),
        };
      };
      try {
        signal?.throwIfAborted();
        heard?.begin();
        const said = await lm.doGenerate(seeded, {
          role,
          repetition,
          callPath,
          exampleId,
          onRetry: (fault) => {
            retries++;
            return given.onRetry?.(fault);
          },
          ...(signal === undefined ? {} : { signal }),
          ...listening(heard),
        });
        const reply = whole(said);
        record(reply);
        return reply;
      } catch (error) {
        record(null, callFailure(error, signal));
        throw error;
      } finally {
        either?.release();
      }
    };
  return {
    get records() {
      return slots.filter((record) => record !== undefined);
    },
    lm: { identity: lm.identity, doGenerate: generating(stream) },
    unheard: { identity: lm.identity, doGenerate: generating(undefined) },
  };
}

/** The reply without halves of characters, as they are or in its JSON. */
function whole(reply: LmReply): LmReply {
  const { content, toolCalls } = reply;
  return wellFormed({
    ...reply,
    content: content && withWholeEscapes(content),
    ...(toolCalls && {
      toolCalls: toolCalls.map((call) => ({
        ...call,
        arguments: withWholeEscapes(call.arguments),
      })),
    }),
  });
}

/**
 * The LM seed of one call, an unsigned 32-bit integer: a function of run seed, example, call path
 * and repetition, but not of the candidate, so that candidates are compared under the same seeds.
 */
function callSeed(run: number, exampleId: string, path: string, repetition: number): number {
  const key = `${run}\n${repetition}\n${path}\n${exampleId}`;
  return Number.parseInt(hash("sha256", key).slice(0, 8), 16);
}
