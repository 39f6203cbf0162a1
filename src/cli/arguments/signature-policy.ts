import type { ResolveOptions } from "../../artifact/index.ts";
import { readTrustedKeys } from "../../artifact/files.ts";

/** Strict mode with the public keys of the file `trusted`; empty without a file. */
export async function signaturePolicy(trusted: string | undefined): Promise<ResolveOptions> {
  if (trusted === undefined) return {};
  return { strict: { trustedKeys: await readTrustedKeys(trusted) } };
}
