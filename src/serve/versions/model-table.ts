import type { Artifact, Registry, TrustedKey } from "../../artifact/index.ts";
import { artifactCreatedAt } from "../../artifact/index.ts";
import type { LanguageModel } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { defaultVersion } from "./default-version.ts";
import type { ChatModel } from "../model/chat-model.ts";
import { ApiError } from "../api-error/api-error.ts";
import type { LastKnownGood } from "./last-known-good.ts";
import type { Canaries } from "../canary/canaries.ts";
import type { ServedModel } from "../model/served-model.ts";
import { versionLoader, versionUnknown } from "./version-loader.ts";

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
   * `ID` is the production version, or the model as it is declared where there is none;
   * `ID@VERSION` takes a version by its first digits, `production` or `candidate`.
   *
   * @throws ApiError 404 for what is not served
   */
  resolve(name: string): Promise<ServedModel>;
}

/**
 * Looks up the versions of all models once, so that what cannot be served is known before anybody
 * asks; later the aliases are read anew for each question, and a promotion is in force at once.
 *
 * `lastKnownGood` is what was last served; it stands in for a production version that cannot be
 * loaded at the start. `canaries` takes a model that is asked for by its bare id, with its
 * candidate. `onFault` hears of a version that cannot be loaded, and which one is served instead.
 *
 * @throws EspalierError `artifact-drifted`, naming what changed, and those of the registry;
 *   `artifact-untrusted`
 */
export async function modelTable({
  models,
  registry,
  trustedKeys,
  checkArtifact,
  measured,
  lastKnownGood,
  canaries,
  onFault,
}: {
  readonly models: readonly ChatModel[];
  readonly registry?: Registry | undefined;
  /**
   * Versions that none of these signed are as good as not there.
   * @default signatures are not looked at
   */
  readonly trustedKeys?: readonly TrustedKey[] | undefined;
  /**
   * Throws for what must not be served, be it of the registry, of a model or of what was served
   * last.
   */
  readonly checkArtifact?: ((artifact: Artifact) => void) | undefined;
  /** Wraps the LMs that models bring along. */
  readonly measured: (lm: LanguageModel) => LanguageModel;
  readonly lastKnownGood?: LastKnownGood | undefined;
  readonly canaries?: Canaries | undefined;
  readonly onFault: (id: string, error: unknown, served: ChatModel) => void;
}): Promise<ModelTable> {
  const load = versionLoader({ registry, trustedKeys, checkArtifact });
  for (const { artifact } of models) if (artifact !== undefined) checkArtifact?.(artifact);
  const served = models.map((given) => {
    const model = withLms(given, measured);
    const { id } = model;
    const onFaultOf = (error: unknown, last: ChatModel): void => onFault(id, error, last);
    const bare = defaultVersion({
      model,
      registry,
      load,
      lastKnownGood,
      checkArtifact,
      canaries,
      onFault: onFaultOf,
    });
    return { model, bare };
  });
  const byId = new Map(served.map((each) => [each.model.id, each]));
  const isTrusted = (signers: readonly string[]): boolean =>
    trustedKeys === undefined || trustedKeys.some(({ id }) => signers.includes(id));

  const isAllowed = (artifact: Artifact): boolean => {
    try {
      checkArtifact?.(artifact);
      return true;
    } catch {
      return false;
    }
  };

  const tableOf = async (model: ChatModel) => {
    if (registry === undefined) return [];
    const versions = await registry.list(model.program.name);
    return versions.flatMap((entry): readonly ListedModel[] => {
      const { version, aliases, claimedSigners } = entry;
      // The list also tells of a file of aliases that cannot be read.
      if (!isTrusted(claimedSigners) || version === "aliases.json") return [];
      if (entry.state === "readable" && !isAllowed(entry.artifact)) return [];
      const time = entry.state === "readable" ? artifactCreatedAt(entry.artifact) : null;
      return [...aliases, version].map((name) => ({
        name: `${model.id}@${name}`,
        version,
        madeAt: time,
      }));
    });
  };
  for (const { bare } of served) await bare.start();

  return {
    list: async () => {
      const rows = await Promise.all(
        served.map(async ({ model, bare }): Promise<readonly ListedModel[]> => {
          const { version, madeAt: time = null } = await bare.now();
          const row = { name: model.id, version, madeAt: time };
          return [row, ...(await tableOf(model).catch(() => []))];
        }),
      );
      return rows.flat();
    },
    resolve: async (name) => {
      const at = name.indexOf("@");
      const id = at === -1 ? name : name.slice(0, at);
      const known = byId.get(id);
      if (known === undefined) throw modelUnknown(name);
      if (at === -1) return known.bare.now();
      const version = name.slice(at + 1);
      try {
        return (await load(known.model, version)).model;
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
