import { defineCommand } from "citty";
import { openRegistry } from "../../artifact/files.ts";
import { EspalierError } from "../../errors/index.ts";
import { serverInfo } from "../../lm/index.ts";
import type { LanguageModel } from "../../contract/index.ts";
import type { ChatServer, Serving } from "../../serve/index.ts";
import { chatServer, newApiKey, pageFace } from "../../serve/index.ts";
import { rolloutReports } from "../../serve/files.ts";
import type { AnyCommand } from "../arguments/arguments.ts";
import { finiteNumber, wholeNumber } from "../arguments/arguments.ts";
import { checkArguments } from "../arguments/check-arguments.ts";
import { abortOnInterrupt } from "../arguments/interrupt.ts";
import { portProblem } from "../arguments/port-problem.ts";
import { linesToStderr } from "../terminal/lines-to-stderr.ts";
import { loadServing } from "../load/load-serving.ts";
import { announceParts } from "../lm/announce-parts.ts";
import { openLms } from "../lm/open-lms.ts";
import { runServers } from "../lm/run-servers.ts";
import { distinctStandIns, standInLabel, standInLms } from "../../stand-in/index.ts";
import { serveArguments } from "./serve-arguments.ts";
import { serveFeedback } from "./serve-feedback.ts";
import { serveKeys } from "./serve-keys.ts";
import { serveProtocol } from "./serve-protocol.ts";
import { openTrackers } from "../tracking/open-trackers.ts";
import { serveRollout } from "../rollout/serve-rollout.ts";
import { serveText } from "./serve-text.ts";
import { rehearsalGate } from "../lm/rehearsal-gate.ts";
import { print, printToStderr } from "../terminal/terminal.ts";

/** `espalier serve`: chat models over HTTP. */
export const serveSubcommand: AnyCommand = defineCommand({
  args: serveArguments,
  run: async ({ args: given, rawArgs }) => {
    checkArguments(rawArgs, serveArguments);
    if (given["new-key"] !== undefined) {
      const { key, line } = newApiKey(given["new-key"]);
      print(`key   ${key}\nline  ${line}`);
      return;
    }
    if (given.serving === undefined) {
      throw new EspalierError({
        code: "usage-invalid",
        problem: "There is nothing to serve",
        expected: "a file that default-exports `serving({ ... })` or a study, or an artifact",
      });
    }
    const keys = serveKeys({ file: given.keys, host: given.host, isOpen: !given.auth });
    const asking = { ...given, answersPeople: true };
    const servers = await runServers(asking, { answersPeople: true });
    const declared = await loadServing(given.serving, { ...given, parts: servers.parts });
    await using opened = await openLms(servers, asking, {
      programs: declared.models.map(({ program }) => program),
      own: declared.lm,
    });
    const serving = withLms(declared, opened.lms);
    const lm = opened.report().lm;
    const answering = serving.lm ?? opened.lm;
    const { baseUrls, secrets } = opened;
    using feedback = serveFeedback(given, secrets);
    const trackers = await openTrackers(given, { variables: process.env, secrets });
    const ownLms = serving.models.flatMap(({ lms = {} }) => Object.values(lms));
    const asked = [answering, ...ownLms];
    const standIns = distinctStandIns([...standInLms(asked), ...servers.parts.standIns()]);
    announceParts({ lms: opened.lms, standIns });
    const { warning, notice } = standInLabel(standIns);
    const checkArtifact = rehearsalGate(asked, given);
    const { rollout, ...kept } = serveRollout(given, serving);
    using state = kept.state;
    const starting = chatServer({
      serving,
      lm: opened.lm,
      standIns,
      ...(baseUrls().length > 0 && {
        checkLm: (signal) => {
          const { apiKey } = opened;
          const server = { ...(apiKey !== undefined && { apiKey }), model: lm.model, signal };
          // One responding server is enough: calls go to servers that respond.
          return Promise.any(baseUrls().map((baseUrl) => serverInfo({ baseUrl, ...server })));
        },
      }),
      ...(given.artifacts !== undefined && { registry: openRegistry(given.artifacts) }),
      ...(checkArtifact && { checkArtifact }),
      host: given.host,
      port: wholeNumber("port", given.port, 0),
      ...(keys && { keys }),
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
      trackers: trackers.map(({ tracker }) => tracker),
      traceSample: finiteNumber("trace-sample", given["trace-sample"], fromZeroToOne),
      ...(rollout && { rollout }),
      ...(state && { state }),
    });
    const server = await starting.catch((error: unknown) => {
      throw portProblem(error, given.port);
    });
    using interrupt = abortOnInterrupt();
    const models = await server.models();
    // Only the state knows the rollouts that this server does not continue.
    const rollouts = rollout || !state ? await server.rollouts() : rolloutReports(state)();
    const keyNames = keys?.names ?? null;
    const hasPage = given.page;
    const startup = { server, models, rollouts, lm, keyNames, hasPage };
    print(serveText({ serving, isTrying: rollout !== undefined, ...startup }));
    await untilStopped(server, interrupt.signal);
    if (warning !== "") printToStderr(warning);
  },
});

const fromZeroToOne = {
  accepts: (share: number) => share >= 0 && share <= 1,
  expected: "a number from 0 to 1",
};

/** Models that name an LM of their own for a predictor keep it. */
function withLms(serving: Serving, lms: Readonly<Record<string, LanguageModel>>): Serving {
  if (Object.keys(lms).length === 0) return serving;
  return {
    ...serving,
    models: serving.models.map((model) => ({ ...model, lms: { ...lms, ...model.lms } })),
  };
}

function listOf(given: string | undefined): readonly string[] {
  return given?.split(",").map((each) => each.trim()) ?? [];
}

async function untilStopped(server: ChatServer, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => resolve(), { once: true });
  if (!signal.aborted) await promise;
  await server.stop();
}
