import { EspalierError } from "../../../../src/errors/index.ts";
import type { TunableProgram } from "../../../../src/index.ts";
import type { TrackingServer } from "../server/tracking-server.ts";
import type { PromptReference, RegisteredPrompt } from "./read-prompt.ts";
import { promptReference, readPrompt } from "./read-prompt.ts";

/**
 * Takes instructions from prompts that are registered in MLflow. A prompt is that of the predictor
 * in its name, `PROGRAM.PREDICTOR`; a name that is the program's stands for all of them that exist.
 *
 * @param uris `prompts:/NAME@ALIAS` or `prompts:/NAME/VERSION`, several separated by commas
 * @returns the program, and the same prompts by their versions: an alias may move
 * @throws EspalierError `usage-invalid`, `tracking-conflict` if a text was overwritten on the
 *   server, `tracking-failed`, `tracking-refused`
 */
export async function withPrompts<TInput, TOutput>(
  server: TrackingServer,
  program: TunableProgram<TInput, TOutput>,
  uris: string,
): Promise<{ readonly program: TunableProgram<TInput, TOutput>; readonly pinned: string }> {
  const paths = program
    .components()
    .flatMap(({ kind, path }) => (kind === "instruction" ? [path] : []));
  const named = (name: string): string => `${program.name}.${name}`;
  const texts = new Map<string, RegisteredPrompt>();
  for (const uri of uris.split(",")) {
    const reference = promptReference(uri.trim());
    const isAll = reference.name === program.name && "alias" in reference;
    const wanted = isAll ? paths : [pathOf(reference, { paths, named })];
    const found = await Promise.all(
      wanted.map(async (path) => {
        const name = isAll ? named(path) : reference.name;
        return [path, await readPrompt(server, { ...reference, name })] as const;
      }),
    );
    if (found.every(([, prompt]) => prompt === undefined))
      throw unknown(uri, server.url, paths.map(named));
    for (const [path, prompt] of found) if (prompt !== undefined) texts.set(path, prompt);
  }
  const components = program.components().map((component) => {
    const prompt = component.kind === "instruction" ? texts.get(component.path) : undefined;
    return prompt === undefined ? component : { ...component, value: prompt.text };
  });
  const pinned = [...texts.values()].map(({ name, version }) => `prompts:/${name}/${version}`);
  return {
    program: program.with(components as Parameters<typeof program.with>[0]),
    pinned: pinned.join(","),
  };
}

function pathOf(
  { name }: PromptReference,
  { paths, named }: { readonly paths: readonly string[]; readonly named: (path: string) => string },
): string {
  const found = paths.find((path) => named(path) === name);
  const [only, ...others] = paths;
  if (found !== undefined) return found;
  if (only !== undefined && others.length === 0) return only;
  throw new EspalierError({
    code: "usage-invalid",
    problem: "It is unclear which predictor the prompt is for",
    expected: paths.map(named).join(", "),
    got: `\`${name}\``,
  });
}

function unknown(uri: string, where: string, expected: readonly string[]): EspalierError {
  return new EspalierError({
    code: "usage-invalid",
    problem: "The server has no such prompt",
    where,
    expected: `a version of ${expected.join(" or ")}`,
    got: `\`${uri}\``,
  });
}
