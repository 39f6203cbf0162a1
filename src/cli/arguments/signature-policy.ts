import type { ResolveOptions } from "../../artifact/index.ts";
import { readTrustedKeys } from "../../artifact/files.ts";

/** Strict mode with the keys of a file; nothing where no file was named. */
export async function signaturePolicy(trusted: string | undefined): Promise<ResolveOptions> {
  if (trusted === undefined) return {};
  return { strict: { trustedKeys: await readTrustedKeys(trusted) } };
}
