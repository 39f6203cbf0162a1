import type { Aliases, Artifact, Registry, TrustedKey } from "../artifact/index.ts";
import type { LanguageModel } from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";
import type { ChatModel } from "./chat-model.ts";
import { withArtifact } from "./chat-model.ts";
import { ApiError } from "./http/api-error.ts";
import { madeAt } from "./made-at.ts";
import type { KnownGood } from "./rollout/known-good.ts";
import type { Rollouts, StandingCandidate } from "./rollout/rollouts.ts";
import type { ServedModel } from "./rollout/trial.ts";

/** A name that can be asked for, and what it means now. */
export interface ListedModel {
  readonly name: string;
  readonly version: string;
  /** When its artifact was made, ISO 8601; `null` for a program as it stands. */
  readonly madeAt: string | null;
}

/** The models of a server, each as it stands and in the versions of a registry. */
export interface ModelTable {
  /** Every name that can be asked for. */
  list(): Promise<readonly ListedModel[]>;
  /**
   * `ID` is the production version, or the model as it is declared where there is none; `ID@VERSION`
   * takes a version by its first digits, `production` or `candidate`.
   *
   * @throws ApiError 404 for what is not served
   */
  resolve(name: string): Promise<ServedModel>;
}

/**
 * Looks up the versions of all models once, so that what cannot be served is known before anybody asks;
 * later the aliases are read anew for each question, and a promotion is in force at once.
 *
 * @param knownGood what was last served; stands in for a production version that cannot be loaded at the start
 * @param trials takes a model that is asked for by its bare id, with its candidate
 * @param onFault hears of a version that cannot be loaded, and which one is served instead
 * @throws EspalierError `artifact-drifted`, naming what changed, and those of the registry; `artifact-untrusted`
 */
export async function modelTable({
  models,
  registry,
  trustedKeys,
  measured,
  knownGood,
  trials,
  onFault,
}: {
  readonly models: readonly ChatModel[];
  readonly registry?: Registry | undefined;
  /** Versions that none of these signed are as good as not there. @default signatures are not looked at */
  readonly trustedKeys?: readonly TrustedKey[] | undefined;
  /** Wraps the LMs that models bring along. */
  readonly measured: (lm: LanguageModel) => LanguageModel;
  readonly knownGood?: KnownGood | undefined;
  readonly trials?: Rollouts | undefined;
  readonly onFault: (id: string, error: unknown, served: ChatModel) => void;
}): Promise<ModelTable> {
  const declared = new Map(models.map((model) => [model.id, withLms(model, measured)]));
  const loaded = new Map<string, { readonly model: ChatModel; readonly artifact: Artifact }>();
  const served = new Map<string, ChatModel>();
  const strict = trustedKeys && { strict: { trustedKeys } };
  const isTrusted = (signers: readonly string[]): boolean =>
    trustedKeys === undefined || trustedKeys.some(({ id }) => signers.includes(id));

  const load = async (model: ChatModel, name: string) => {
    // A version never changes: what was loaded under its whole name is not read again.
    const known = loaded.get(`${model.id}@${name}`);
    if (known !== undefined) return known;
    if (registry === undefined) throw versionUnknown(model.id, name);
    const { artifact, version } = await registry.resolve(model.program.name, name, strict);
    const key = `${model.id}@${version}`;
    const now = loaded.get(key) ?? { model: withArtifact(model, artifact), artifact };
    loaded.set(key, now);
    return now;
  };
  const lastKnownGood = (model: ChatModel): ChatModel | null => {
    const artifact = knownGood?.of(model.id) ?? null;
    try {
      return artifact && withArtifact(model, artifact);
    } catch {
      return null;
    }
  };
  const aliasesOf = async (model: ChatModel): Promise<Aliases | undefined> =>
    registry?.aliases(model.program.name);
  /** What the bare id means. */
  const current = async (model: ChatModel, aliases: Aliases | undefined): Promise<ChatModel> => {
    const version = aliases?.production ?? null;
    const { model: now, artifact } =
      version === null ? { model, artifact: null } : await load(model, version);
    if (served.get(model.id) !== now) knownGood?.keep(model.id, artifact);
    served.set(model.id, now);
    return now;
  };
  const candidateOf = async (
    model: ChatModel,
    aliases: Aliases | undefined,
  ): Promise<StandingCandidate | null> => {
    const version = aliases?.candidate ?? null;
    if (version === null || version === aliases?.production) return null;
    const move = aliases?.history.findLast(({ alias }) => alias === "candidate");
    return { model: (await load(model, version)).model, since: move?.at ?? "" };
  };
  const onTrial = async (
    now: ChatModel,
    model: ChatModel,
    aliases: Aliases | undefined,
  ): Promise<ServedModel> => {
    if (trials === undefined) return now;
    try {
      return trials.onTrial(now, await candidateOf(model, aliases));
    } catch (error) {
      onFault(model.id, error, now);
      return trials.onTrial(now, null);
    }
  };
  const tableOf = async (model: ChatModel) => {
    if (registry === undefined) return [];
    const versions = await registry.list(model.program.name);
    return versions.flatMap((entry): readonly ListedModel[] => {
      const { version, aliases, claimedSigners } = entry;
      if (!isTrusted(claimedSigners)) return [];
      const time = entry.state === "readable" ? madeAt(entry.artifact) : null;
      return [...aliases, version].map((name) => ({
        name: `${model.id}@${name}`,
        version,
        madeAt: time,
      }));
    });
  };
  const currentOrLast = async (model: ChatModel): Promise<ServedModel> => {
    try {
      const aliases = await aliasesOf(model);
      return await onTrial(await current(model, aliases), model, aliases);
    } catch (error) {
      const last = served.get(model.id) ?? model;
      onFault(model.id, error, last);
      return last;
    }
  };

  for (const model of declared.values()) {
    const start = async (): Promise<void> => {
      const aliases = await aliasesOf(model);
      await current(model, aliases);
      await candidateOf(model, aliases);
    };
    await start().catch((error: unknown) => {
      const last = served.has(model.id) ? null : lastKnownGood(model);
      if (last === null) throw error;
      served.set(model.id, last);
      onFault(model.id, error, last);
    });
  }

  return {
    list: async () => {
      const rows = await Promise.all(
        [...declared.values()].map(async (model): Promise<readonly ListedModel[]> => {
          const { version, madeAt: time = null } = await currentOrLast(model);
          const bare = { name: model.id, version, madeAt: time };
          return [bare, ...(await tableOf(model).catch(() => []))];
        }),
      );
      return rows.flat();
    },
    resolve: async (name) => {
      const at = name.indexOf("@");
      const id = at === -1 ? name : name.slice(0, at);
      const model = declared.get(id);
      if (model === undefined) throw modelUnknown(name);
      if (at === -1) return currentOrLast(model);
      const version = name.slice(at + 1);
      try {
        return (await load(model, version)).model;
      } catch (error) {
        throw notServed(error, id, version);
      }
    },
  };
}

function withLms(model: ChatModel, measured: (lm: LanguageModel) => LanguageModel): ChatModel {
  if (model.lms === undefined) return model;
  const lms = Object.entries(model.lms).map(([name, lm]) => [name, measured(lm)] as const);
  return { ...model, lms: Object.fromEntries(lms) };
}

function notServed(error: unknown, id: string, version: string): unknown {
  return EspalierError.isInstance(error) ? versionUnknown(id, version) : error;
}

function modelUnknown(name: string): ApiError {
  const shown = name.slice(0, 100);
  return new ApiError(404, "model_not_found", `The model \`${shown}\` is not served.`, {
    param: "model",
  });
}

function versionUnknown(id: string, version: string): ApiError {
  const shown = version.slice(0, 40);
  const message = `The model \`${id}\` has no version \`${shown}\` that can be served.`;
  return new ApiError(404, "model_not_found", message, { param: "model" });
}
