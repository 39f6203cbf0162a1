import type { Ledger } from "../../ledger/index.ts";
import { ledger } from "../../ledger/index.ts";
import type { Parts, Servers, TokenServer } from "../../servers/index.ts";
import { foundServersFile, parts, readServers, secretsOf, mockMark } from "../../servers/index.ts";
import { anyUrlOf } from "../../lm/files.ts";
import { EspalierError } from "../../errors/index.ts";
import { withoutCredentials } from "../../internal/index.ts";
import type { LmSource } from "./lm-source.ts";
import { lmSource, noLm } from "./lm-source.ts";
import type { ConnectSettings } from "./connect-settings.ts";
import { connectSettings } from "./connect-settings.ts";
import { localEmbedder } from "./local-package.ts";
import { mockModels } from "./rehearsal-package.ts";

/** The options that say which server plays which part. */
export interface ServersGiven extends ConnectSettings {
  readonly servers?: string | undefined;
  readonly rehearsal: boolean;
  readonly lm?: string | undefined;
  readonly model?: string | undefined;
  /** `PREDICTOR=LM`, separated by commas. */
  readonly "lm-for"?: string | undefined;
  readonly "judge-lm"?: string | undefined;
  readonly "reflection-lm"?: string | undefined;
}

/** A role that may have an LM of its own, beside the LM that answers. */
export type OwnRole = "judge" | "reflection";

/** Who plays which part in a run, read from options and the servers file. No server was asked. */
export interface RunServers {
  /** For the study or serving file. */
  readonly parts: Parts;
  /** What embedding and reranking cost. */
  readonly costs: Ledger;
  /** Absent: nothing names an LM, which only a serving file may replace. */
  readonly answer: LmSource | undefined;
  /** LMs of the command's other roles; for an absent one, the LM that answers. */
  readonly roles: { readonly [Role in OwnRole]?: LmSource };
  /** References to LMs of single predictors in the servers file. */
  readonly usual: Readonly<Record<string, string>>;
  /** References to LMs of single predictors on the command line. */
  readonly asked: Readonly<Record<string, string>>;
  /** The keys in the servers file, and credentials in its URLs. */
  readonly secrets: readonly string[];
  /** @param option where the reference was given, for errors */
  sourceOf(option: string, reference: string): LmSource;
}

/**
 * Combines options and servers file: an option takes precedence. With `--rehearsal`, mocks play
 * everything that no other option names.
 *
 * @param options.roles those that the command knows; others in the file do not concern it
 * @param options.answersPeople whether a mock must be asked for, even where nothing is
 *   configured, and a serving file may bring an LM along
 * @throws EspalierError `file-missing`, `file-malformed`, `usage-invalid`, `key-missing`
 */
export async function runServers(
  given: ServersGiven,
  {
    roles = [],
    answersPeople = false,
  }: { readonly roles?: readonly OwnRole[]; readonly answersPeople?: boolean } = {},
): Promise<RunServers> {
  const file = await serversFile(given.servers);
  const servers = given.rehearsal ? undefined : file;
  const fillsGaps = given.rehearsal || (servers === undefined && isBare(given, answersPeople));
  const sourceOf = (option: string, reference: string, model?: string): LmSource =>
    lmSource(reference, { option, servers: file, model });

  const named =
    given.lm ?? servers?.roles.answer ?? onlyLm(servers) ?? (fillsGaps ? mockMark : undefined);
  if (named === undefined && !answersPeople) throw noLm(servers);
  const answer = named === undefined ? undefined : sourceOf("--lm", named, given.model);
  const own = Object.fromEntries(
    roles.flatMap((role) => {
      const reference = given[`${role}-lm`] ?? servers?.roles[role];
      return reference === undefined ? [] : [[role, sourceOf(`--${role}-lm`, reference)]];
    }),
  ) as RunServers["roles"];

  const judging = (own.judge ?? answer)?.kind;
  const costs = ledger();
  const usesMocks = fillsGaps || Object.values(servers ?? {}).includes(mockMark);
  return {
    parts: parts({
      ...connectSettings(given),
      ...(await localEmbedder(servers, costs)),
      environment: process.env,
      servers,
      fillsGaps,
      mockModels: usesMocks ? await mockModels() : undefined,
      answer: tokenServerOf(answer),
      judge: judging === "local" ? "server" : judging,
      ledger: costs,
    }),
    costs,
    answer,
    roles: own,
    usual: servers?.predictors ?? {},
    asked: parseLmFor(given["lm-for"]),
    secrets: file === undefined ? [] : secretsOf(file, process.env),
    sourceOf,
  };
}

/** Whether nothing but mocks was asked for, so that they play everything. */
function isBare({ lm }: ServersGiven, answersPeople: boolean): boolean {
  return lm === undefined ? !answersPeople : lm === mockMark;
}

function tokenServerOf(answer: LmSource | undefined): TokenServer | undefined {
  if (answer?.kind !== "server") return undefined;
  const { kind: _kind, price: _price, addresses, ...server } = answer;
  return { ...server, url: anyUrlOf(addresses[0]) };
}

/** The file that is named, or else that of the working folder; `none` is none. */
async function serversFile(given: string | undefined): Promise<Servers | undefined> {
  const path = given ?? foundServersFile();
  return path === undefined || path === "none" ? undefined : readServers(path);
}

/** The name of the file's LM, if it has one and no other. */
function onlyLm(servers: Servers | undefined): string | undefined {
  const [first, ...others] = Object.keys(servers?.lms ?? {});
  return others.length === 0 ? first : undefined;
}

/**
 * Reads `--lm-for PREDICTOR=LM,...`: a reference to an LM for each predictor.
 *
 * @throws EspalierError `usage-invalid`
 */
function parseLmFor(given: string | undefined): Readonly<Record<string, string>> {
  if (given === undefined) return {};
  const references = new Map<string, string>();
  for (const pair of given.split(",")) {
    const [, predictor, reference] = /^\s*([^=\s]+)\s*=\s*(\S+)\s*$/.exec(pair) ?? [];
    if (predictor === undefined || reference === undefined || references.has(predictor)) {
      throw new EspalierError({
        code: "usage-invalid",
        problem: "Invalid value for --lm-for",
        expected:
          "PREDICTOR=NAME, with a name from the servers file, or PREDICTOR=URL#MODEL; each predictor once",
        got: `"${withoutCredentials(pair)}"`,
      });
    }
    references.set(predictor, reference);
  }
  return Object.fromEntries(references);
}
