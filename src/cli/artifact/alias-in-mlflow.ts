import type { Alias, Registry } from "../../artifact/index.ts";
import type { TrackedPrompt } from "../../tracking/index.ts";

/** For commands that move an alias. */
export const aliasInMlflowArguments = {
  mlflow: {
    type: "string",
    description: "Move the alias of the version's prompts on this MLflow server too",
    valueHint: "URL",
  },
} as const;

/**
 * Moves the alias of a program's prompts on an MLflow server to where the registry has it, and
 * registers instructions that the server lacks. It may be repeated.
 *
 * @param before the version that had the alias; its prompts lose an alias that was cleared
 * @throws EspalierError `tracking-failed`, `tracking-refused`, `tracking-conflict`
 */
export async function aliasInMlflow(
  url: string | undefined,
  {
    registry,
    program,
    alias,
    before,
  }: {
    readonly registry: Registry;
    readonly program: string;
    readonly alias: Alias;
    readonly before?: string | null | undefined;
  },
): Promise<void> {
  if (url === undefined) return;
  const { clearPromptAlias, sendPrompt } = await import("../../tracking/index.ts");
  const { mlflowAt } = await import("../load/mlflow-at.ts");
  const server = mlflowAt(url, { option: "--mlflow" });
  const { [alias]: version } = await registry.aliases(program);
  const promptsOf = async (name: string): Promise<readonly TrackedPrompt[]> => {
    const { artifact } = await registry.resolve(program, name);
    return artifact.compiled.components.flatMap((component) =>
      component.kind === "instruction"
        ? [{ name: `${program}.${component.path}`, text: component.value, alias }]
        : [],
    );
  };
  const prompts = version === null ? [] : await promptsOf(version);
  for (const prompt of prompts) await sendPrompt(server, prompt);
  const kept = new Set(prompts.map(({ name }) => name));
  const old = before === undefined || before === null ? [] : await promptsOf(before);
  for (const { name } of old) if (!kept.has(name)) await clearPromptAlias(server, { name, alias });
}
