import { sign, verify } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { EspalierError, messageOf } from "../../errors/index.ts";
import { isNoSuchFile, joinNames, parseJson } from "../../internal/index.ts";
import { readFileWithin, writeFileAtomic } from "../../storage/index.ts";
import type { SigningKey, TrustedKey } from "./signing-keys.ts";
import type { ProgramPlace } from "./version-files.ts";

const maxBytes = 2 ** 20;
const format = "espalier-signature/1";
const schema = z.strictObject({
  format: z.literal(format),
  hash: z.string().regex(/^[0-9a-f]{64}$/, "expected 64 hexadecimal digits"),
  signatures: z.array(z.strictObject({ keyId: z.string(), signature: z.base64() })),
});

/** The signatures beside a version, one for each key. */
export interface SignatureFile {
  /** Content hash of the signed artifact. */
  readonly hash: string;
  readonly signatures: readonly { readonly keyId: string; readonly signature: string }[];
}

/**
 * The signed bytes: the content hash with a prefix, so that the signature is valid for nothing
 * else. It covers all of `compiled`, which is everything a program runs with; `run` is unsigned
 * additional data.
 */
function signedBytes(hash: string): Buffer {
  return Buffer.from(`espalier-artifact ${hash}`, "utf8");
}

/** @throws EspalierError `file-malformed` */
export async function readSignatures(
  place: ProgramPlace,
  version: string,
): Promise<SignatureFile | null> {
  const path = signatureFile(place, version);
  try {
    const content = await readFileWithin(path, maxBytes);
    const { hash, signatures } = schema.parse(parseJson(content));
    return { hash, signatures };
  } catch (error) {
    if (isNoSuchFile(error)) return null;
    const issue = error instanceof z.ZodError ? error.issues[0] : undefined;
    throw new EspalierError({
      code: "file-malformed",
      problem: "The version's signatures cannot be read",
      where: path,
      expected: `"format": "${format}", hash and signatures, as espalier writes it`,
      got:
        issue === undefined
          ? messageOf(error)
          : `\`${issue.path.map(String).join(".")}\`: ${issue.message}`,
      fix: "Remove the file and sign again with `espalier artifact sign`",
      cause: error,
    });
  }
}

/** Stores a signature beside a version; replaces an earlier one by the same key. */
export async function writeSignature(
  place: ProgramPlace,
  version: string,
  hash: string,
  { id: keyId, key }: SigningKey,
): Promise<void> {
  const held = await readSignatures(place, version);
  const others = held?.hash === hash ? held.signatures.filter((one) => one.keyId !== keyId) : [];
  const signature = sign(null, signedBytes(hash), key).toString("base64");
  const text = JSON.stringify(
    { format, hash, signatures: [...others, { keyId, signature }] },
    null,
    2,
  );
  await writeFileAtomic(signatureFile(place, version), `${text}\n`, { isShared: true });
}

/**
 * Ids of the trusted keys that signed this content.
 *
 * @throws EspalierError `artifact-untrusted` if there is none, or if a signature under a trusted
 * key's id was not made by that key
 */
export async function trustedSigners(
  place: ProgramPlace,
  version: string,
  hash: string,
  trustedKeys: readonly TrustedKey[],
): Promise<readonly string[]> {
  const file = await readSignatures(place, version);
  const where = `version ${version} of program "${place.program}"`;
  const trusted = trustedKeys.map(({ id }) => id);
  const expected = `a signature by ${trusted.length === 0 ? "a trusted key (none are configured)" : joinNames(trusted)}`;
  if (file === null)
    throw untrusted(where, "The artifact is not signed", expected, "no signature file");
  if (file.hash !== hash) {
    throw untrusted(
      where,
      "The signature belongs to another artifact",
      expected,
      `a signature of ${file.hash}`,
    );
  }
  const signers = file.signatures.filter(({ keyId }) => trusted.includes(keyId));
  for (const { keyId, signature } of signers) {
    const key = trustedKeys.find(({ id }) => id === keyId)?.key;
    const bytes = Buffer.from(signature, "base64");
    if (key === undefined || !verify(null, signedBytes(hash), key, bytes)) {
      throw untrusted(
        where,
        "The signature is invalid",
        expected,
        `a signature that key ${keyId} did not make`,
      );
    }
  }
  if (signers.length > 0) return signers.map(({ keyId }) => keyId);
  const others = file.signatures.map(({ keyId }) => keyId);
  throw untrusted(
    where,
    "No trusted key signed the artifact",
    expected,
    others.length === 0 ? "none" : `signatures by ${joinNames(others)}`,
  );
}

function untrusted(where: string, problem: string, expected: string, got: string): EspalierError {
  return new EspalierError({
    code: "artifact-untrusted",
    problem,
    where,
    expected,
    got,
    fix: "Check its origin; `espalier artifact sign` signs a version",
  });
}

export function signatureFile({ folder }: ProgramPlace, version: string): string {
  return join(folder, `${version}.sig.json`);
}
