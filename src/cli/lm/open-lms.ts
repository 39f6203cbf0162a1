import type { LanguageModel } from "../../contract/index.ts";
import { ledger } from "../../ledger/index.ts";
import type { Mock } from "../../mock/index.ts";
import { distinctMocks, isRehearsal, mockLabel, mocksAmong } from "../../mock/index.ts";
import { mapValues } from "../../internal/index.ts";
import { serverSecrets } from "../arguments/server-addresses.ts";
import type { LmSource } from "./lm-source.ts";
import { noLm } from "./lm-source.ts";
import type { AnsweringLm, LmChoice, OpenedLm } from "./open-lm.ts";
import { openLm, openOwnLm } from "./open-lm.ts";
import type { Asking } from "./predictor-lms.ts";
import { predictorLms } from "./predictor-lms.ts";
import type { OwnRole, RunServers } from "./run-servers.ts";
import { printToStderr } from "../terminal/terminal.ts";

/** Every LM of a run. */
export interface OpenedLms extends OpenedLm {
  /** Absent if `lm` judges. */
  readonly judgeLm?: LanguageModel;
  /** Absent if `lm` reflects. */
  readonly reflectionLm?: LanguageModel;
  /** LMs of single predictors and rerankers, by name; the others use `lm`. */
  readonly lms: Readonly<Record<string, LanguageModel>>;
  /** Keys of the servers, and credentials in their URLs, which must never be written anywhere. */
  readonly secrets: readonly string[];
  report(): ReturnType<OpenedLm["report"]> & {
    readonly judgeLm?: AnsweringLm;
    /** By predictor; absent if all use `lm`. */
    readonly lms?: Readonly<Record<string, AnsweringLm>>;
    /** Every part that a mock plays. */
    readonly mocks: readonly Mock[];
  };
}

/**
 * Opens the LM that answers, and the LMs of roles and single predictors, each server once. Costs
 * include those of the run's other parts.
 *
 * @param programs the programs that will run; a predictor's LM must belong to one of them
 * @param own the LM that a serving file brings along, used where nothing names one
 * @throws EspalierError `usage-invalid` where no LM is named, or for an unknown predictor
 */
export async function openLms(
  servers: RunServers,
  choice: LmChoice,
  {
    programs,
    own,
  }: { readonly programs: readonly Asking[]; readonly own?: LanguageModel | undefined },
): Promise<OpenedLms> {
  const chosen = predictorLms(servers, programs);
  const open = new Map<string, OpenedLm>();
  const opening = async (source: LmSource, modelOption?: string): Promise<OpenedLm> => {
    const key = JSON.stringify(source);
    const opened = open.get(key) ?? (await openLm(source, choice, modelOption));
    open.set(key, opened);
    return opened;
  };
  await using closing = new AsyncDisposableStack();
  closing.defer(async () => {
    await Promise.all([...open.values()].map((opened) => opened[Symbol.asyncDispose]()));
  });
  const answer = await (async () => {
    if (servers.answer !== undefined) return opening(servers.answer);
    if (own !== undefined) return openOwnLm(own, choice.concurrency);
    throw noLm();
  })();
  const roles: { [Role in OwnRole]?: OpenedLm } = {};
  for (const role of ["judge", "reflection"] as const) {
    const source = servers.roles[role];
    if (source !== undefined) roles[role] = await opening(source, `--${role}-lm URL#MODEL`);
  }
  const lms: Record<string, OpenedLm> = {};
  for (const [name, source] of Object.entries(chosen)) {
    lms[name] = await opening(source, `--lm-for ${name}=URL#MODEL`);
  }
  const kept = closing.move();
  const all = new Set([answer, ...open.values()]);
  return combined({ answer, roles, lms, servers, all, close: () => kept.disposeAsync() });
}

function combined({
  answer,
  roles: { judge, reflection },
  lms,
  servers,
  all,
  close,
}: {
  readonly answer: OpenedLm;
  readonly roles: { readonly [Role in OwnRole]?: OpenedLm };
  readonly lms: Readonly<Record<string, OpenedLm>>;
  readonly servers: RunServers;
  readonly all: ReadonlySet<OpenedLm>;
  readonly close: () => Promise<void>;
}): OpenedLms {
  const mocks = (): readonly Mock[] =>
    distinctMocks([
      ...answer.mocks,
      ...Object.values(lms).flatMap((opened) => opened.mocks),
      ...mocksAmong({ judgeLm: judge?.lm.identity, reflectionLm: reflection?.lm.identity }),
      ...servers.parts.mocks(),
    ]);
  return {
    ...answer,
    ...(judge && { judgeLm: judge.lm }),
    ...(reflection && { reflectionLm: reflection.lm }),
    lms: mapValues(lms, ({ lm }) => lm),
    secrets: [...new Set([...servers.secrets, ...[...all].flatMap(serverSecrets)])],
    get mocks() {
      return mocks();
    },
    report: () => {
      const costs = ledger(servers.costs.snapshot());
      for (const opened of all) costs.merge(opened.report().ledger);
      return {
        lm: answer.report().lm,
        ...(judge && { judgeLm: judge.report().lm }),
        ...(Object.keys(lms).length > 0 && { lms: mapValues(lms, (each) => each.report().lm) }),
        isRehearsal: isRehearsal(mocks()),
        mocks: mocks(),
        ledger: costs.snapshot(),
      };
    },
    [Symbol.asyncDispose]: close,
  };
}

/** One LM that routes judges' requests to the judge LM and all others to the main LM. */
export function routedLm({ lm, judgeLm }: Pick<OpenedLms, "lm" | "judgeLm">): LanguageModel {
  if (judgeLm === undefined) return lm;
  const { provider, model } = lm.identity;
  const judge = `${judgeLm.identity.provider} ${judgeLm.identity.model}`;
  return {
    identity: { provider, model: `${model}, judged by ${judge}` },
    doGenerate: (request, options) =>
      (options?.role === "judge" ? judgeLm : lm).doGenerate(request, options),
  };
}

/** The first line of a run: which mocks play which part; and which predictors have own LMs. */
export function announceParts({ lms, mocks }: Pick<OpenedLms, "lms" | "mocks">): void {
  const { opening } = mockLabel(mocks);
  if (opening !== "") printToStderr(opening);
  const own = Object.entries(lms).map(([name, { identity }]) => `${name} by ${identity.model}`);
  if (own.length > 0) printToStderr(own.join(", "));
}
