import { randomUUID } from "node:crypto";
import type { LanguageModel } from "../contract/index.ts";
import { messageOf } from "../errors/index.ts";
import { checkShare, mebibyte, systemClock } from "../internal/index.ts";
import { withLedger } from "../lm/index.ts";
import { ledger as newLedger } from "../ledger/index.ts";
import { takesImages } from "../signature/index.ts";
import { distinctMocks, mockLms } from "../mock/index.ts";
import type { Server } from "node:http";
import type { ChatServerOptions } from "./chat-server-options.ts";
import { serverFeedback } from "./feedback/server-feedback.ts";
import { admission } from "./answer/admission.ts";
import { answerer, observedAnswerer } from "./answer/answerer.ts";
import { chatApp, shownRoutes } from "./http/chat-app.ts";
import { hostGuard } from "./http/known-hosts.ts";
import { shutdown } from "./http/shutdown.ts";
import { keyGate } from "./api-keys.ts";
import { readiness } from "./http/readiness.ts";
import { readJson } from "./http/read-json.ts";
import type { ServeContext, ProtocolAdapter } from "./protocol/protocol-adapter.ts";
import { serverLog } from "./telemetry/server-log.ts";
import { serverTracking } from "./answer-tracker.ts";
import { serverMetrics } from "./telemetry/server-metrics.ts";
import { serverLimits } from "./chat-server-options.ts";
import type { ListedModel } from "./versions/model-table.ts";
import { modelTable } from "./versions/model-table.ts";
import { openaiRoutes } from "./routes/openai/openai-routes.ts";
import type { CanaryReport } from "./canary/canary-report.ts";
import { serverCanaries } from "./canary/server-canaries.ts";
import { z } from "zod";
import { ApiError, invalidParameter } from "./api-error/api-error.ts";
import type { FeedbackWriter } from "./feedback/feedback-writer.ts";
import type { Rating } from "./feedback/kept-completion.ts";
import { canaryJson } from "./canary/canary-report.ts";

/** Room for an image of 10 MiB in base64. */
const maxBytesWithImages = 16 * mebibyte;

/** A server without its port. */
export interface ChatParts {
  readonly fetch: (request: Request) => Promise<Response>;
  readonly routes: readonly string[];
  readonly models: () => Promise<readonly ListedModel[]>;
  readonly rollouts: () => Promise<readonly CanaryReport[]>;
  readonly requestTimeoutMs: number;
  /** Counts a request that was refused before it reached `fetch`. */
  readonly onRefused: (error: ApiError) => void;
  readonly onFault: (error: unknown) => void;
  /** Call before the first request. */
  start(): Promise<void>;
  setAddress(address: string): void;
  /** @param server whose port is closed; `null`: somebody else's */
  stop(server: Server | null): Promise<void>;
}

/**
 * Everything of a server but its port.
 *
 * @param options.host the address that it will listen to; `null`: somebody else's server, which
 *   checks `Host` itself
 */
export async function chatParts({
  serving,
  lm,
  checkLm,
  mocks = [],
  registry,
  checkArtifact,
  host,
  keys,
  origins = [],
  hosts = [],
  adapters = [],
  feedback,
  trackers = [],
  traceSample = 1,
  rollout,
  state,
  ledger = newLedger(),
  log: write = () => undefined,
  secrets = [],
  basePath = "",
  ...given
}: Omit<ChatServerOptions, "host" | "port" | "hasLightGlobals"> & {
  readonly host: string | null;
  readonly basePath?: string;
}): Promise<ChatParts> {
  const limits = serverLimits({
    ...given,
    ...(given.maxBytes === undefined &&
      serving.models.some(({ program }) => takesImages(program.input)) && {
        maxBytes: maxBytesWithImages,
      }),
  });
  checkShare("traceSample", traceSample);
  const { concurrency, deadlineMs } = limits;
  const clock = systemClock;
  const ending = shutdown({ drainMs: limits.drainMs, clock });
  const now = (): Date => new Date();
  const log = serverLog({ write, secrets, now });
  const measured = (each: LanguageModel): LanguageModel => withLedger(each, ledger);
  const gate = keyGate(keys, log);
  const { hasSeveralKeys } = gate;
  const admitted = admission({ slots: concurrency, queue: limits.queue, hasSeveralKeys, clock });
  const answering = measured(serving.lm ?? lm);
  const rolled =
    rollout &&
    serverCanaries({
      settings: rollout,
      registry,
      state,
      hasSeveralKeys,
      log,
      secrets,
      lm: answering,
      slots: Math.ceil(concurrency / 4),
      deadlineMs,
      clock,
      isBusy: () => ending.isDraining || admitted.running >= concurrency,
    });
  const models = await modelTable({
    models: serving.models,
    registry,
    checkArtifact,
    measured,
    canaries: rolled?.canaries,
    onFault: (id, error, { version }) =>
      log("version-unusable", {
        model: id,
        served: version,
        problem: messageOf(error),
      }),
  });
  const reports = async (): Promise<readonly CanaryReport[]> => {
    // Aliases may have moved since the last question.
    await models.list();
    return rolled?.reports() ?? [];
  };
  const kept = feedback && serverFeedback(feedback, { log, now });
  const tracked = serverTracking(trackers, { sample: traceSample, secrets, log });
  const metrics = serverMetrics(ledger, () => [
    ...(kept?.lines() ?? []),
    ...(trackers.length > 0 ? tracked.lines() : []),
    ...(rolled?.lines() ?? []),
  ]);
  const ask = answerer({
    lm: answering,
    admission: admitted,
    deadlineMs,
    maxInput: limits.maxInput,
    clock,
    now,
    isDraining: () => ending.isDraining,
    stopping: ending.stopping,
  });
  const observed = observedAnswerer(ask, { metrics, log, clock });
  const shown = trackers.length > 0 ? tracked.around(observed) : observed;
  const recorded = kept?.around(shown) ?? shown;
  const asked = [answering, ...serving.models.flatMap(({ lms = {} }) => Object.values(lms))];
  const context: ServeContext = {
    name: serving.name,
    mocks: distinctMocks([...mockLms(asked), ...mocks]),
    models,
    ask: rolled?.around(recorded) ?? recorded,
    log,
    keyNameOf: gate.nameOf,
    readJson: (request) =>
      readJson(request, {
        bytes: limits.maxBytes,
        depth: 32,
        values: 20_000,
      }),
    newId: (prefix) => `${prefix}-${randomUUID().replaceAll("-", "")}`,
    now,
    keepAliveMs: 15_000,
  };
  const guard = host === null ? null : hostGuard({ host, hosts, hasKeys: keys !== undefined });
  const app = chatApp({
    adapters: [
      openaiRoutes(),
      ...(kept ? [feedbackRoutes(kept.writer, (id, rating) => tracked.rated(id, rating))] : []),
      ...(rolled ? [canaryRoutes(reports)] : []),
      ...adapters,
    ],
    context,
    origins,
    checkHost: guard?.check ?? (() => undefined),
    basePath,
    metrics,
    admission: admitted,
    ready: readiness({
      checks: { ...(checkLm && { lm: checkLm }), ...serving.checks },
      informational: { ...kept?.informational, ...gate.informational },
      timeoutMs: 5_000,
      clock,
    }),
    isDraining: () => ending.isDraining,
  });
  const watching = gate.watch(admitted);
  return {
    fetch: async (request) => app.fetch(request),
    routes: shownRoutes(app, adapters),
    models: () => models.list(),
    rollouts: reports,
    requestTimeoutMs: limits.requestTimeoutMs,
    onRefused: ({ status, code }) => metrics.refused({ status, code }),
    onFault: (error) => log("error", { problem: messageOf(error) }),
    start: async () => kept?.start(),
    setAddress: (address) => guard?.setAddress(address),
    stop: (server) =>
      ending.stop(server, {
        onStart: () => {
          rolled?.[Symbol.dispose]();
          watching?.[Symbol.dispose]();
        },
        idle: () => admitted.idle(),
        close: async (leftMs, hurried) => {
          await Promise.all([
            kept?.close(leftMs, hurried),
            tracked.close(hurried.aborted ? 0 : leftMs),
          ]);
        },
      }),
  };
}

const said = z
  .string()
  .max(20_000)
  .nullish()
  .transform((text) => (text?.trim() ? text : null));
const body = z.strictObject({
  id: z.string().min(1).max(200),
  rating: z.enum(["up", "down"]),
  comment: said,
  correction: said,
  /** The user that the client rates for: the one it named when it asked, if any. */
  user: z.string().max(256).nullish(),
});

/**
 * `POST /v1/feedback` rates an answer; the last rating counts. `/health` tells clients that ratings
 * are accepted. Only the API key that asked can rate, and only for the user it asked for: to anyone
 * else the answer looks like one that is not kept.
 */
function feedbackRoutes(
  writer: FeedbackWriter,
  onRated: (id: string, rating: Rating) => void,
): ProtocolAdapter {
  return {
    health: { feedback: true },
    mount: (app, context) => {
      app.post("/v1/feedback", async (c) => {
        const parsed = body.safeParse(await context.readJson(c.req.raw));
        if (!parsed.success) throw invalidParameter(parsed.error);
        const { id, user = null, ...rating } = parsed.data;
        const apiKey = context.keyNameOf(c.req.raw) ?? null;
        const outcome = await writer.rate(id, rating, { apiKey, user });
        if (outcome === "unwritten") {
          const message = "The rating could not be saved. Send it again later.";
          throw new ApiError(503, "feedback_unavailable", message, { retryAfterSeconds: 10 });
        }
        if (outcome === "unknown") {
          const message = "No answer is stored under this id; it may have been erased.";
          throw new ApiError(404, "completion_not_found", message, { param: "id" });
        }
        onRated(id, rating);
        return c.json({ object: "feedback", id, rating: rating.rating });
      });
    },
  };
}

/** `GET /v1/rollouts`: candidates on trial and their state, oldest first. */
function canaryRoutes(reports: () => Promise<readonly CanaryReport[]>): ProtocolAdapter {
  return {
    mount: (app) => {
      app.get("/v1/rollouts", async (c) => {
        const data = (await reports()).map(canaryJson);
        return c.json({ object: "list", data });
      });
    },
  };
}
