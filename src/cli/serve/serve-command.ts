import { defineCommand } from "citty";
import { openRegistry } from "../../artifact/files.ts";
import { EspalierError } from "../../errors/index.ts";
import { serverInfo } from "../../lm/index.ts";
import type { ChatServer } from "../../serve/index.ts";
import { chatServer, newApiKey, pageFace } from "../../serve/index.ts";
import { rolloutReports } from "../../serve/files.ts";
import type { AnyCommand } from "../arguments/arguments.ts";
import {
  answeringLmArgument,
  lmArguments,
  maxInputArgument,
  rehearsalArguments,
  wholeNumber,
} from "../arguments/arguments.ts";
import { checkArguments } from "../arguments/check-arguments.ts";
import { abortOnInterrupt } from "../arguments/interrupt.ts";
import { linesToStderr } from "../terminal/lines-to-stderr.ts";
import { loadServing } from "../load/load-serving.ts";
import { openAnsweringLm } from "../lm/open-answering-lm.ts";
import { isStandIn, standInLabel } from "../../stand-in/index.ts";
import { feedbackArguments, serveFeedback } from "./serve-feedback.ts";
import {
  keyLimitArguments,
  keysVariable,
  serveKeyLimits,
  serveKeys,
  serveKeyUsage,
} from "./serve-keys.ts";
import { serveProtocol } from "./serve-protocol.ts";
import { protocolArgument } from "../load/load-protocol.ts";
import { rolloutArguments, serveRollout } from "../rollout/serve-rollout.ts";
import { serveText } from "./serve-text.ts";
import { rehearsalGate } from "../lm/rehearsal-gate.ts";
import { signaturePolicy } from "../arguments/signature-policy.ts";
import { serverKey, serverSecrets } from "../arguments/server-addresses.ts";
import { print, printToStderr } from "../terminal/terminal.ts";

const {
  model,
  concurrency,
  patience,
  "max-retry-after": maxRetryAfter,
  "idle-timeout": idleTimeout,
  cache,
} = lmArguments;

const args = {
  serving: {
    type: "positional",
    description: "File that default-exports a serving",
    valueHint: "FILE",
    required: false,
  },
  host: { type: "string", description: "Address to listen on", default: "127.0.0.1" },
  port: { type: "string", description: "0 picks a free port", valueHint: "N", default: "8080" },
  artifacts: {
    type: "string",
    description: "Registry of artifacts; by default programs are served as declared",
    valueHint: "FOLDER",
  },
  ...rehearsalArguments,
  "trusted-keys": {
    type: "string",
    description: "PEM file of public keys; rejects versions that none of them signed",
    valueHint: "FILE",
  },
  keys: {
    type: "string",
    description: `File of key hashes; alternatively, plain-text keys in ${keysVariable}`,
    valueHint: "FILE",
  },
  "new-key": {
    type: "string",
    description: "Print a new key and its line for the key file, then exit",
    valueHint: "NAME",
  },
  ...keyLimitArguments,
  auth: {
    type: "boolean",
    description: "Require a key for requests from other machines",
    negativeDescription: "Accept requests without a key, from any host",
    default: true,
  },
  cors: {
    type: "string",
    description: "Origins of allowed web pages, separated by commas, or `*`",
    valueHint: "ORIGINS",
  },
  "allow-host": {
    type: "string",
    description: "Additional host names to accept, separated by commas",
    valueHint: "NAMES",
  },
  protocol: {
    ...protocolArgument,
    description: "File that default-exports a protocol, whose routes are also served",
  },
  page: {
    type: "boolean",
    description: "Serve a page at / to ask, compare and rate",
    negativeDescription: "Serve no page at /",
    default: true,
  },
  ...rolloutArguments,
  ...feedbackArguments,
  "max-requests": {
    type: "string",
    description: "Maximum concurrent requests",
    valueHint: "N",
    default: "16",
  },
  queue: {
    type: "string",
    description: "Maximum number of queued requests; more are rejected",
    valueHint: "N",
    default: "64",
  },
  "max-input": maxInputArgument,
  deadline: {
    type: "string",
    description: "Longest time for an answer, in seconds",
    valueHint: "S",
    default: "600",
  },
  drain: {
    type: "string",
    description: "Longest wait for unfinished answers at shutdown, in seconds",
    valueHint: "S",
    default: "30",
  },
  lm: answeringLmArgument,
  model,
  concurrency: { ...concurrency, description: "Maximum concurrent LM calls", default: "64" },
  // A person waits: faults that a batch would sit out are reported instead.
  patience: { ...patience, default: "0.1" },
  "max-retry-after": { ...maxRetryAfter, default: "60" },
  // Equals the deadline: the whole reply of a reasoning model is silent until it arrives.
  "idle-timeout": idleTimeout,
  cache: { ...cache, default: "none" },
} as const;

/** `espalier serve`: chat models over HTTP. */
export const serveSubcommand: AnyCommand = defineCommand({
  args,
  run: async ({ args: given, rawArgs }) => {
    checkArguments(rawArgs, args);
    if (given["new-key"] !== undefined) {
      const { key, line } = newApiKey(given["new-key"]);
      print(`key   ${key}\nline  ${line}`);
      return;
    }
    if (given.serving === undefined) {
      throw new EspalierError({
        code: "usage-invalid",
        problem: "There is nothing to serve",
        expected: "a file that default-exports `serving({ ... })`",
      });
    }
    const keys = serveKeys({ file: given.keys, host: given.host, isOpen: !given.auth });
    const serving = await loadServing(given.serving);
    await using opened = await openAnsweringLm(given, serving.lm);
    const lm = opened.report().lm;
    const answering = serving.lm ?? opened.lm;
    const { baseUrls } = opened;
    const secrets = serverSecrets(baseUrls);
    const keyLimits = serveKeyLimits(given);
    using keyUsage = serveKeyUsage(given, { name: serving.name, keys, limits: keyLimits });
    using feedback = serveFeedback(given, secrets);
    const { strict } = await signaturePolicy(given["trusted-keys"]);
    const ownLms = serving.models.flatMap(({ lms = {} }) => Object.values(lms));
    const asked = [answering, ...ownLms];
    const { warning, notice } = standInLabel(asked.some(({ identity }) => isStandIn(identity)));
    const checkArtifact = rehearsalGate(asked, given);
    const { rollout, ...kept } = serveRollout(given, serving);
    using state = kept.state;
    const starting = chatServer({
      serving,
      lm: opened.lm,
      ...(baseUrls.length > 0 && {
        checkLm: (signal) => {
          const server = { ...serverKey(), model: lm.model, signal };
          // One responding server is enough: calls go to servers that respond.
          return Promise.any(baseUrls.map((baseUrl) => serverInfo({ baseUrl, ...server })));
        },
      }),
      ...(given.artifacts !== undefined && { registry: openRegistry(given.artifacts) }),
      ...strict,
      ...(checkArtifact && { checkArtifact }),
      host: given.host,
      port: wholeNumber("port", given.port, 0),
      ...(keys && { keys }),
      keyLimits,
      ...(keyUsage && { keyUsage }),
      faces: [
        ...(await serveProtocol(serving, given.protocol)),
        ...(given.page ? [pageFace(notice === "" ? {} : { notice })] : []),
      ],
      origins: listOf(given.cors),
      hosts: listOf(given["allow-host"]),
      concurrency: wholeNumber("max-requests", given["max-requests"], 1),
      queue: wholeNumber("queue", given.queue, 0),
      maxInput: wholeNumber("max-input", given["max-input"], 1),
      deadlineMs: 1_000 * wholeNumber("deadline", given.deadline, 1),
      drainMs: 1_000 * wholeNumber("drain", given.drain, 0),
      log: linesToStderr(),
      secrets,
      hasLightGlobals: true,
      ...(feedback && { feedback }),
      ...(rollout && { rollout }),
      ...(state && { state }),
    });
    const server = await starting.catch((error: unknown) => {
      throw portProblem(error, given.port);
    });
    using interrupt = abortOnInterrupt();
    if (warning !== "") printToStderr(warning);
    const models = await server.models();
    // Only the state knows the rollouts that this server does not continue.
    const rollouts = rollout || !state ? await server.rollouts() : rolloutReports(state)();
    const keyNames = keys?.names ?? null;
    const hasPage = given.page;
    const startup = { server, models, rollouts, lm, keyNames, hasPage };
    print(serveText({ name: serving.name, isTrying: rollout !== undefined, ...startup }));
    await untilStopped(server, interrupt.signal);
  },
});

function listOf(given: string | undefined): readonly string[] {
  return given?.split(",").map((each) => each.trim()) ?? [];
}

async function untilStopped(server: ChatServer, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => resolve(), { once: true });
  if (!signal.aborted) await promise;
  await server.stop();
}

function portProblem(error: unknown, port: string): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code !== "EADDRINUSE" && code !== "EACCES" && code !== "ERR_SOCKET_BAD_PORT") return error;
  return new EspalierError({
    code: "usage-invalid",
    problem: code === "EADDRINUSE" ? "The port is already in use" : "Cannot bind to the port",
    got: `--port ${port}`,
    fix: "Choose another port, or 0 for a free one.",
    cause: error,
  });
}
