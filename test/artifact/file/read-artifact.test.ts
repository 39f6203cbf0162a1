import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { readArtifact, writeArtifact } from "espalier/artifact";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { thrownBy } from "../../support/thrown-by.ts";
import { compileGuide } from "../travel-guide.ts";

const artifact = await compileGuide();
const text = `${JSON.stringify(artifact, null, 2)}\n`;

describe("a file that is no sound artifact is refused:", () => {
  it.each([
    ["an empty one", ""],
    ["half of one", text.slice(0, text.length / 2)],
    ["some other JSON", '{"name":"x"}'],
    ["a list", "[]"],
    ["a result of an evaluation", '{"format":"espalier-evaluation/1"}'],
    ["one of another format", text.replace("espalier-artifact/1", "espalier-artifact/2")],
    ["one without a part", JSON.stringify({ ...artifact, compiled: undefined })],
    ["one with an unknown part", text.replace('"compiled": {', '"compiled": { "extra": 1,')],
    ["one with a component of an unknown kind", text.replace('"instruction"', '"persona"')],
    [
      "one that holds code",
      text.replace(
        '"name": "travel-guide",',
        '"name": "travel-guide", "module": "data:text/javascript,1",',
      ),
    ],
    ["one with a hash that is none", text.replace(artifact.hash, "none")],
    ["one whose instruction was edited by hand", text.replace("Word for word.", "Word for ward.")],
    ["one whose figure was edited by hand", text.replace('"scored": 20', '"scored": 200')],
    ["one with the hash of another", text.replace(artifact.hash, "0".repeat(64))],
  ])("%s", async (_, content) => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "guide.json");
    await writeFile(path, content);
    const { code, message } = await thrownBy(() => readArtifact(path));
    expect(code).toBe("artifact-invalid");
    expect(content).not.toBe(text);
    expect(
      message.replaceAll(path, "guide.json").replaceAll(/\b[0-9a-f]{12}\b/g, "(hash)"),
    ).toMatchSnapshot();
  });

  it("one that is not there", async () => {
    const { code, message } = await thrownBy(() => readArtifact("nowhere.json"));
    expect(code).toBe("file-missing");
    expect(message).toContain('The artifact "nowhere.json" cannot be read');
  });
});

it("what stands in `run`, and how the file is laid out, are not part of what is checked", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "guide.json");
  await writeFile(path, JSON.stringify({ ...artifact, run: { note: "by hand", seconds: 1 } }));
  expect(await readArtifact(path)).toEqual({ ...artifact, run: { note: "by hand", seconds: 1 } });
});

/** Writes over the artifact named by its argument until it is killed. */
const writeOnAndOn = `
  import { readArtifact, writeArtifact } from "espalier/artifact";
  const path = process.argv[1];
  const artifact = await readArtifact(path);
  for (let round = 0; ; round++) {
    await writeArtifact(path, { ...artifact, run: { round, padding: "x".repeat(16_000_000) } });
  }
`;

describe("writing", () => {
  it("leaves the old file or the new one, whole, when its process is killed", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "guide.json");
    await writeArtifact(path, artifact);
    for (let kill = 0; kill < 4; kill++) {
      const writer = spawn(
        process.execPath,
        ["--conditions=espalier:source", "--input-type=module", "--eval", writeOnAndOn, path],
        { stdio: ["ignore", "ignore", "inherit"] },
      );
      const ended = once(writer, "close");
      // Its temporary file is there from the start of a write to its end: the kill meets a write.
      const isWriting = (name: string): boolean => name.startsWith(`guide.json.${writer.pid}.`);
      while (!(await readdir(folder.path)).some(isWriting)) await setImmediate();
      writer.kill("SIGKILL");
      await ended;
      expect((await readArtifact(path)).compiled).toEqual(artifact.compiled);
    }
  });

  it("leaves no other file beside it, and the old one when it fails", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "guide.json");
    await writeArtifact(path, artifact);
    const endless: Record<string, unknown> = {};
    endless["itself"] = endless;
    await expect(writeArtifact(path, { ...artifact, run: endless as never })).rejects.toThrow(
      TypeError,
    );
    expect(await readdir(folder.path)).toEqual(["guide.json"]);
    expect(await readFile(path, "utf8")).toBe(text);
  });
});
