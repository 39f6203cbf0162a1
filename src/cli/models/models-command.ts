import { defineCommand } from "citty";
import type { AnyCommand } from "../arguments/arguments.ts";
import { jsonArgument } from "../arguments/arguments.ts";
import { command } from "../arguments/command.ts";
import { abortOnInterrupt } from "../arguments/interrupt.ts";
import { localPackage, pullNotes } from "../lm/local-package.ts";
import { columns, joinLines, print } from "../terminal/terminal.ts";

const model = {
  type: "positional",
  description: "A name from `espalier models list`, or hf:OWNER/REPO/FILE.gguf",
  valueHint: "MODEL",
  required: true,
} as const;

const list = command({
  meta: {
    name: "list",
    description: "List local models: names, licences, and which have been fetched",
  },
  args: jsonArgument,
  run: async (given) => {
    const { listModels } = await localPackage();
    const models = await listModels();
    if (given.json) return print(JSON.stringify(models));
    const rows = models.map(({ name, about, licence, path, bytes }) => {
      const state = bytes === null ? "not fetched" : `${Math.round(bytes / 1e6)} MB at ${path}`;
      return [`local:${name}`, about, licence ?? "-", state];
    });
    print(joinLines(columns(rows, "left")));
  },
});

const pull = command({
  meta: { name: "pull", description: "Fetch the weights of a local model" },
  args: { model },
  run: async (given) => {
    using interrupt = abortOnInterrupt();
    const { modelFile } = await localPackage();
    print(await modelFile(given.model, { ...pullNotes(), signal: interrupt.signal }));
  },
});

const remove = command({
  meta: { name: "remove", description: "Remove the weights of a local model" },
  args: { model },
  run: async (given) => {
    const { removeModel } = await localPackage();
    print(`Freed ${Math.round((await removeModel(given.model)) / 1e6)} MB.`);
  },
});

/** `espalier models`: the weights of local models. */
export const modelsSubcommand: AnyCommand = defineCommand({
  subCommands: { list, pull, remove },
});
