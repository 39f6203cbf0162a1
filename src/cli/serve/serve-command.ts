import { openRegistry } from "../../artifact/files.ts";
import { EspalierError } from "../../errors/index.ts";
import { serverInfo } from "../../lm/index.ts";
import type { LanguageModel } from "../../contract/index.ts";
import type { ChatServer, ProtocolAdapter, Serving } from "../../serve/index.ts";
import { chatServer, newApiKey, pageAdapter } from "../../serve/index.ts";
import { rolloutReports } from "../../serve/files.ts";
import type { AnyCommand } from "../arguments/arguments.ts";
import { finiteNumber, wholeNumber } from "../arguments/arguments.ts";
import { command } from "../arguments/command.ts";
import { abortOnInterrupt } from "../arguments/interrupt.ts";
import { portProblem } from "../arguments/port-problem.ts";
import { loadServing } from "../load/load-serving.ts";
import { announceParts, openLms } from "../lm/open-lms.ts";
import { runServers } from "../lm/run-servers.ts";
import { distinctMocks, mockLabel, mockLms } from "../../mock/index.ts";
import { serveArguments, serveFeedback, serveKeys } from "./serve-arguments.ts";
import { loadProtocol } from "../load/load-protocol.ts";
import { openTrackers } from "../tracking/open-trackers.ts";
import { serveRollout } from "../rollout/serve-rollout.ts";
import type { AnsweringLm } from "../lm/open-lm.ts";
import { rolloutTitle } from "../rollout/rollout-text.ts";
import { rehearsalGate } from "../lm/rehearsal-gate.ts";
import { joinLines, print, printToStderr, writeToStderr } from "../terminal/terminal.ts";

/** `espalier serve`: chat models over HTTP. */
export const serveSubcommand: AnyCommand = command({
  args: serveArguments,
  run: async (given) => {
    if (given["new-key"] !== undefined) {
      const { key, line } = newApiKey(given["new-key"]);
      print(`key   ${key}\nline  ${line}`);
      return;
    }
    if (given.serving === undefined) {
      throw new EspalierError({
        code: "usage-invalid",
        problem: "There is nothing to serve",
        expected:
          "a file that default-exports `serving({ ... })`, a study or a program, or an artifact",
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
    const mocks = distinctMocks([...mockLms(asked), ...servers.parts.mocks()]);
    announceParts({ lms: opened.lms, mocks });
    const { warning, notice } = mockLabel(mocks);
    const checkArtifact = rehearsalGate(asked, given);
    const { rollout, ...kept } = serveRollout(given, serving);
    using state = kept.state;
    const starting = chatServer({
      serving,
      lm: opened.lm,
      mocks,
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
      adapters: [
        ...(await serveProtocol(serving, given.protocol)),
        ...(given.page ? [pageAdapter(notice === "" ? {} : { notice })] : []),
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

/**
 * The protocol that the command line names.
 *
 * @throws EspalierError `usage-invalid` if the serving lacks a model of the protocol, since each of
 *   its questions would fail
 */
async function serveProtocol(
  { models }: Serving,
  path: string | undefined,
): Promise<readonly ProtocolAdapter[]> {
  if (path === undefined) return [];
  const adapter = await loadProtocol(path);
  const ids = models.map(({ id }) => id);
  const missing = adapter.models?.find((name) => !ids.includes(name.split("@")[0] ?? ""));
  if (missing === undefined) return [adapter];
  throw new EspalierError({
    code: "usage-invalid",
    problem: "The serving lacks a model that the protocol needs",
    expected: ids.join(", "),
    got: `"${missing}"`,
    where: path,
  });
}

/** The start-up message of a server. */
function serveText({
  serving,
  server,
  models,
  rollouts,
  isTrying,
  lm,
  keyNames,
  hasPage,
}: {
  readonly serving: Serving;
  readonly server: Pick<ChatServer, "url" | "routes">;
  readonly models: Awaited<ReturnType<ChatServer["models"]>>;
  readonly rollouts: Awaited<ReturnType<ChatServer["rollouts"]>>;
  /** Whether the server continues open rollouts. */
  readonly isTrying: boolean;
  readonly lm: AnsweringLm;
  /** `null` if anyone may ask. */
  readonly keyNames: readonly string[] | null;
  readonly hasPage: boolean;
}): string {
  const width = Math.max(...models.map(({ name }) => name.length));
  const rows = models.map(({ name, version }) => `${name.padEnd(width)}  ${version}`);
  const open = rollouts.filter(
    ({ status, model }) => status === "running" && models.some(({ name }) => name === model),
  );
  const fields = serving.models.map(({ id, program }) => {
    const [taken, given] = [program.input, program.output].map((of) => Object.keys(of).join(", "));
    return `${id}: ${taken} -> ${given}`;
  });
  const hasMore = serving.models.some(({ program }) => Object.keys(program.output).length > 1);
  const trials = open.map((rollout) =>
    isTrying
      ? rolloutTitle(rollout)
      : `none: ${rollout.model}@${rollout.candidate} is open, but needs --canary or --shadow to continue`,
  );
  const at = lm.url === undefined ? "" : ` at ${lm.url.replaceAll(",", ", ")}`;
  return [
    `Serving ${serving.name} on ${server.url}`,
    `  LM      ${lm.model}${at}`,
    `  keys    ${keyNames === null ? "none: anyone who can reach this address may send requests" : keyNames.join(", ")}`,
    ...rows.map((row, index) => `  ${index === 0 ? "models" : "      "}  ${row}`),
    ...fields.map((row, index) => `  ${index === 0 ? "fields" : "      "}  ${row}`),
    ...(hasMore
      ? [`          the whole output as JSON with "response_format": {"type": "json_object"}`]
      : []),
    ...trials.map((trial, index) => `  ${index === 0 ? "trials" : "      "}  ${trial}`),
    ...(hasPage ? [`  page    ${server.url}/`] : []),
    `  routes  ${routesText(server.routes)}`,
  ].join("\n");
}

/** `POST /run, /evaluate; GET /health`: each method once. */
function routesText(routes: readonly string[]): string {
  const byMethod = Map.groupBy(routes, (route) => route.slice(0, route.indexOf(" ")));
  const texts = [...byMethod].map(([method, of]) => {
    const paths = of.map((route) => route.slice(method.length + 1));
    return `${method} ${paths.join(", ")}`;
  });
  return texts.join("; ");
}

/**
 * Writes lines to standard error, in one write for each turn of the event loop: writing costs more
 * than formatting. Flushes the rest at exit.
 */
function linesToStderr(): (line: string) => void {
  let waiting = "";
  const write = (): void => {
    const text = waiting;
    waiting = "";
    if (text !== "") writeToStderr(text);
  };
  process.once("exit", write);
  return (line) => {
    if (waiting === "") setImmediate(write);
    waiting += `${joinLines([line])}\n`;
  };
}
