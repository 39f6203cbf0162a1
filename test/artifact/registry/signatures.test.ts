import { generateKeyPairSync, verify } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Registry } from "espalier/artifact";
import { openRegistry, readSigningKey, readTrustedKeys, versionOf } from "espalier/artifact";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { thrownBy } from "../../support/thrown-by.ts";
import { travelGuide } from "../travel-guide.ts";
import { guide } from "./guides.ts";

const program = "travel-guide";
const [one, two] = [guide("One."), guide("Two.")];
const version = versionOf(one);

interface Signing extends AsyncDisposable {
  readonly folder: string;
  readonly registry: Registry;
  /** Files of a key pair; the public one is also given as Node has it. */
  pair(name: string): Promise<{ privateFile: string; publicFile: string; publicPem: string }>;
}

async function signing(): Promise<Signing> {
  const folder = await temporaryFolder();
  const registry = openRegistry(join(folder.path, "artifacts"));
  for (const artifact of [one, two]) await registry.add(artifact);
  return {
    folder: folder.path,
    registry,
    pair: async (name) => {
      const { privateKey, publicKey } = generateKeyPairSync("ed25519");
      const [privateFile, publicFile] = ["key", "pub"].map((end) =>
        join(folder.path, `${name}.${end}.pem`),
      ) as [string, string];
      const publicPem = publicKey.export({ type: "spki", format: "pem" }) as string;
      await writeFile(privateFile, privateKey.export({ type: "pkcs8", format: "pem" }));
      await writeFile(publicFile, publicPem);
      return { privateFile, publicFile, publicPem };
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

describe("a signed version", () => {
  it("is had in strict mode when a trusted key signed it, and stays the file it was", async () => {
    await using at = await signing();
    const { privateFile, publicFile } = await at.pair("ada");
    const before = await readFile((await at.registry.resolve(program, version)).path, "utf8");
    const key = await readSigningKey(privateFile);
    expect(await at.registry.sign(program, version.slice(0, 5), key)).toEqual({ version });
    const trustedKeys = await readTrustedKeys(publicFile);
    const { artifact, signedBy, path } = await at.registry.resolve(program, version, {
      strict: { trustedKeys, program: travelGuide() },
    });
    expect(artifact).toEqual(one);
    expect(signedBy).toEqual([key.id]);
    expect(await readFile(path, "utf8")).toBe(before);
    expect(await at.registry.verify(program, { name: version, trustedKeys })).toMatchObject([
      { signedBy: [key.id], problems: [] },
    ]);
  });

  it("is signed over its content hash, so that others can check it without espalier", async () => {
    await using at = await signing();
    const { privateFile, publicPem } = await at.pair("ada");
    await at.registry.sign(program, version, await readSigningKey(privateFile));
    const file = JSON.parse(
      await readFile(join(at.registry.folder, program, `${version}.sig.json`), "utf8"),
    );
    const [{ signature }] = file.signatures;
    const text = Buffer.from(`espalier-artifact ${one.hash}`);
    expect(file.hash).toBe(one.hash);
    expect(verify(null, text, publicPem, Buffer.from(signature, "base64"))).toBe(true);
  });

  it("holds one signature of each key", async () => {
    await using at = await signing();
    const [ada, bo] = [await at.pair("ada"), await at.pair("bo")];
    const keys = await Promise.all(
      [ada, bo, ada].map(({ privateFile }) => readSigningKey(privateFile)),
    );
    for (const key of keys) await at.registry.sign(program, version, key);
    const both = join(at.folder, "both.pem");
    await writeFile(both, `Keys of ours\n${ada.publicPem}${bo.publicPem}`);
    const { signedBy } = await at.registry.resolve(program, version, {
      strict: { trustedKeys: await readTrustedKeys(both) },
    });
    expect(new Set(signedBy)).toEqual(new Set(keys.map(({ id }) => id)));
    expect(signedBy).toHaveLength(2);
  });
});

describe("strict mode refuses", () => {
  it("what is unsigned, signed by another, for another, wrongly, or drifted", async () => {
    await using at = await signing();
    const [ada, bo] = [await at.pair("ada"), await at.pair("bo")];
    const trustedKeys = await readTrustedKeys(ada.publicFile);
    const refusal = async (changes: Parameters<typeof travelGuide>[0] = {}): Promise<string> => {
      const { code, report } = await thrownBy(() =>
        at.registry.resolve(program, version, {
          strict: { trustedKeys, program: travelGuide(changes) },
        }),
      );
      return `${code}: ${report.problem.split(":")[0]}`;
    };
    const path = join(at.registry.folder, program, `${version}.sig.json`);
    const signed = async (artifactVersion: string, privateFile: string): Promise<string> => {
      await at.registry.sign(program, artifactVersion, await readSigningKey(privateFile));
      return readFile(path.replace(version, artifactVersion), "utf8");
    };

    expect(await refusal()).toBe("artifact-untrusted: The artifact is not signed");
    await signed(version, bo.privateFile);
    expect(await refusal()).toBe("artifact-untrusted: No trusted key signed the artifact");

    const ofTwo = await signed(versionOf(two), ada.privateFile);
    await writeFile(path, ofTwo);
    expect(await refusal()).toBe("artifact-untrusted: The signature belongs to another artifact");
    await writeFile(path, ofTwo.replace(two.hash, one.hash));
    expect(await refusal()).toBe("artifact-untrusted: The signature is invalid");

    await writeFile(path, "{");
    expect(await refusal()).toMatch(/^file-malformed/);
    await writeFile(path, ofTwo.replace(/"signature": ".*"/, '"signature": "not base64!"'));
    expect(await refusal()).toMatch(/^file-malformed/);

    await writeFile(path, '{"format":"espalier-signature/1","hash":"","signatures":[]}');
    expect(await refusal()).toMatch(/^file-malformed/);
    await writeFile(
      path,
      JSON.stringify({ format: "espalier-signature/1", hash: one.hash, signatures: [] }),
    );
    await signed(version, ada.privateFile);
    expect(await refusal({ version: "2" })).toMatch(/^artifact-drifted/);
  });

  it("a promotion of what is not signed, when it is asked for there", async () => {
    await using at = await signing();
    const { publicFile } = await at.pair("ada");
    const strict = { trustedKeys: await readTrustedKeys(publicFile) };
    const { code } = await thrownBy(() =>
      at.registry.promote(program, version, "production", { strict }),
    );
    expect(code).toBe("artifact-untrusted");
    expect(await at.registry.history(program)).toEqual([]);
  });
});

describe("a key file is refused", () => {
  it("when it is missing, no key, of another kind, or private where it should be public", async () => {
    await using at = await signing();
    const { privateFile, publicFile } = await at.pair("ada");
    const [text, rsa, empty] = ["text.pem", "rsa.pem", "empty.pem"].map((name) =>
      join(at.folder, name),
    ) as [string, string, string];
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 1024 });
    await writeFile(rsa, privateKey.export({ type: "pkcs8", format: "pem" }));
    await writeFile(text, "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n");
    await writeFile(empty, "");
    const failures: readonly [() => unknown, string][] = [
      [() => readTrustedKeys(join(at.folder, "none")), "file-missing"],
      [() => readTrustedKeys(text), "file-malformed"],
      [() => readTrustedKeys(empty), "file-malformed"],
      [() => readTrustedKeys(privateFile), "file-malformed"],
      [() => readSigningKey(publicFile), "file-malformed"],
      [() => readSigningKey(rsa), "file-malformed"],
      [() => readSigningKey(empty), "file-malformed"],
    ];
    for (const [fail, code] of failures) expect((await thrownBy(fail)).code).toBe(code);
    expect((await thrownBy(() => readTrustedKeys(privateFile))).message).toContain(
      "Got: a private key",
    );
    expect((await thrownBy(() => readSigningKey(rsa))).message).toContain("Got: a key of type rsa");
  });
});
