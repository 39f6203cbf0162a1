import type { Registry } from "../artifact/index.ts";
import type { LanguageModel } from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";
import type { ChatModel } from "./chat-model.ts";
import { withArtifact } from "./chat-model.ts";
import { ApiError } from "./http/api-error.ts";

/** The models of a server, each as it stands and in the versions of a registry. */
export interface ModelTable {
  /** Every name that can be asked for, with the version that it means now. */
  list(): Promise<readonly { readonly name: string; readonly version: string }[]>;
  /**
   * `ID` is the production version, or the model as it is declared where there is none; `ID@VERSION`
   * takes a version by its first digits, `production` or `candidate`.
   *
   * @throws ApiError 404 for what is not served
   */
  resolve(name: string): Promise<ChatModel>;
}

/**
 * Looks up the versions of all models once, so that what cannot be served is known before anybody asks;
 * later the aliases are read anew for each question, and a promotion is in force at once.
 *
 * @param onFault hears of a version that cannot be loaded while the server runs; the model is then
 *   served as it last was
 * @throws EspalierError `artifact-drifted`, naming what changed, and those of the registry
 */
export async function modelTable({
  models,
  registry,
  measured,
  onFault,
}: {
  readonly models: readonly ChatModel[];
  readonly registry?: Registry | undefined;
  /** Wraps the LMs that models bring along. */
  readonly measured: (lm: LanguageModel) => LanguageModel;
  readonly onFault: (id: string, error: unknown) => void;
}): Promise<ModelTable> {
  const declared = new Map(models.map((model) => [model.id, withLms(model, measured)]));
  const loaded = new Map<string, ChatModel>();
  const served = new Map<string, ChatModel>();

  const load = async (model: ChatModel, name: string): Promise<ChatModel> => {
    if (registry === undefined) throw versionUnknown(model.id, name);
    const { artifact, version } = await registry.resolve(model.program.name, name);
    const key = `${model.id}@${version}`;
    const known = loaded.get(key) ?? withArtifact(model, artifact);
    loaded.set(key, known);
    return known;
  };
  const current = async (model: ChatModel): Promise<ChatModel> => {
    if (registry === undefined) return model;
    const { production } = await registry.aliases(model.program.name);
    return production === null || production === undefined ? model : load(model, production);
  };
  const tableOf = async (model: ChatModel) => {
    if (registry === undefined) return [];
    const versions = await registry.list(model.program.name);
    return versions.flatMap(({ version, aliases }) =>
      [...aliases, version].map((name) => ({ name: `${model.id}@${name}`, version })),
    );
  };

  for (const model of declared.values()) {
    served.set(model.id, await current(model));
    const aliases = await registry?.aliases(model.program.name);
    if (typeof aliases?.candidate === "string") await load(model, aliases.candidate);
  }

  return {
    list: async () => {
      const rows = await Promise.all(
        [...declared.values()].map(async (model) => [
          { name: model.id, version: (await current(model).catch(() => model)).version },
          ...(await tableOf(model).catch(() => [])),
        ]),
      );
      return rows.flat();
    },
    resolve: async (name) => {
      const at = name.indexOf("@");
      const id = at === -1 ? name : name.slice(0, at);
      const model = declared.get(id);
      if (model === undefined) throw modelUnknown(name);
      try {
        if (at !== -1) return await load(model, name.slice(at + 1));
        const now = await current(model);
        served.set(id, now);
        return now;
      } catch (error) {
        if (at !== -1) throw notServed(error, id, name.slice(at + 1));
        onFault(id, error);
        return served.get(id) ?? model;
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
