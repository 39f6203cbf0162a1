import { defineCommand } from "citty";
import { z } from "zod";
import { messageOf } from "../../errors/index.ts";
import { withoutCredentials } from "../../internal/index.ts";
import { serverList } from "../../lm/files.ts";
import type { ServerExamination } from "../../lm/index.ts";
import type { Servers } from "../../servers/index.ts";
import {
  defaultServersFile,
  keyOf,
  parts,
  readServers,
  serversSchema,
} from "../../servers/index.ts";
import type { AnyCommand } from "../arguments/arguments.ts";
import { serversArguments } from "../arguments/arguments.ts";
import { checkArguments } from "../arguments/check-arguments.ts";
import { exitCodes } from "../arguments/exit-code.ts";
import { abortOnInterrupt } from "../arguments/interrupt.ts";
import { print } from "../terminal/terminal.ts";
import { examinationText } from "./examination-text.ts";
import { examineLm } from "./examine-lm.ts";
import { partTrials } from "./part-trials.ts";
import { castText, partTrialsText } from "./servers-text.ts";

const args = {
  servers: {
    ...serversArguments.servers,
    description: "The file; defaults to espalier.servers.json in the working folder",
  },
  schema: { type: "boolean", description: "Print the file's JSON schema and exit", default: false },
  fresh: {
    type: "boolean",
    description: "Ignore stored results and probe LMs again",
    default: false,
  },
  json: { type: "boolean", description: "Print one line of JSON", default: false },
} as const;

/** What was found of one LM. */
export interface ExaminedServer {
  readonly lm: string;
  readonly url: string;
  readonly examination: ServerExamination | null;
  /** Why it could not be examined. */
  readonly failure?: string;
}

/** `espalier servers`: shows the servers file, and asks every server that it names. */
export const serversSubcommand: AnyCommand = defineCommand({
  args,
  run: async ({ args: given, rawArgs }) => {
    checkArguments(rawArgs, args);
    if (given.schema) {
      print(JSON.stringify(z.toJSONSchema(serversSchema, { io: "input" }), null, 2));
      return;
    }
    using interrupt = abortOnInterrupt();
    const { signal } = interrupt;
    const path = given.servers ?? defaultServersFile;
    const servers = await readServers(path);
    if (!given.json) print(castText(path, servers));
    const trials = await partTrials(servers, partsOf(servers), signal);
    if (!given.json && trials.length > 0) print(`\n${partTrialsText(trials)}`);
    const examined: ExaminedServer[] = [];
    for (const [name, server] of Object.entries(servers.lms)) {
      for (const url of await serverList([server.url].flat()).read()) {
        const found = await examineNamed({ name, url, server, isFresh: given.fresh, signal });
        examined.push(found.examined);
        if (!given.json) print(`\n${found.text}`);
      }
    }
    if (given.json) print(JSON.stringify({ file: path, parts: trials, lms: examined }));
    const isWorking = (each: { readonly isWorking: boolean }): boolean => each.isWorking;
    if (!trials.every(isWorking) || examined.some(({ examination }) => examination === null)) {
      process.exitCode = exitCodes.infrastructure;
    }
  },
});

/** Without patience: a server that is away is to be reported. */
function partsOf(servers: Servers) {
  return parts({
    servers,
    environment: process.env,
    retry: { patienceMs: 0 },
  });
}

async function examineNamed({
  name,
  url,
  server,
  isFresh,
  signal,
}: {
  readonly name: string;
  readonly url: string;
  readonly server: Servers["lms"][string];
  readonly isFresh: boolean;
  readonly signal: AbortSignal;
}): Promise<{ readonly examined: ExaminedServer; readonly text: string }> {
  const shownUrl = withoutCredentials(url);
  try {
    const { examination, path } = await examineLm(url, {
      ...keyOf(server.keyVariable, `LM "${name}"`, process.env),
      model: server.model,
      isKept: true,
      isFresh,
      signal,
    });
    const text = `${name}: ${examinationText(examination, { path, nowMs: Date.now() })}`;
    return { examined: { lm: name, url: shownUrl, examination }, text };
  } catch (error) {
    signal.throwIfAborted();
    const failure = messageOf(error);
    const text = `${name}: ${server.model} at ${shownUrl} could not be examined: ${failure}`;
    return { examined: { lm: name, url: shownUrl, examination: null, failure }, text };
  }
}
