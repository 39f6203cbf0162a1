import { defineCommand } from "citty";
import type { AnyCommand } from "../arguments/arguments.ts";
import { openRegistry, readSigningKey } from "../../artifact/files.ts";
import { programArgument, registryArguments, versionArgument } from "./artifact-arguments.ts";
import { checkArguments } from "../arguments/check-arguments.ts";
import { print } from "../terminal/terminal.ts";

const args = {
  ...programArgument,
  ...versionArgument,
  key: {
    type: "string",
    description: "PEM file of an Ed25519 private key",
    valueHint: "FILE",
    required: true,
  },
  ...registryArguments,
} as const;

/** `espalier artifact sign`: signs the content hash and stores the signature beside the file. */
export const sign: AnyCommand = defineCommand({
  meta: { name: "sign", description: "Sign a version with an Ed25519 key" },
  args,
  run: async ({ args: given, rawArgs }) => {
    checkArguments(rawArgs, args);
    const key = await readSigningKey(given.key);
    const { version } = await openRegistry(given.registry).sign(given.program, given.version, key);
    const keyId = key.id;
    if (given.json) print(JSON.stringify({ program: given.program, version, keyId }));
    else print(`${version} of ${given.program} signed by ${keyId}`);
  },
});
