import type { Alias, Registry } from "../../../../src/artifact/index.ts";
import type { TrackingServer } from "../server/tracking-server.ts";
import type { TrackedPrompt } from "../tracked/tracked-run.ts";
import { clearPromptAlias, sendPrompt } from "./send-prompt.ts";

/**
 * Moves the alias of a program's prompts on an MLflow server to where the registry has it, and
 * registers instructions that the server lacks. It may be repeated.
 *
 * @param before the version that had the alias; its prompts lose an alias that was cleared
 * @throws EspalierError `tracking-failed`, `tracking-refused`, `tracking-conflict`
 */
export async function alignPrompts(
  server: TrackingServer,
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
