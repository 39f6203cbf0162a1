import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Registry } from "espalier/artifact";
import { loadArtifact, openRegistry, versionOf } from "espalier/artifact";
import { sha256 } from "../../../src/internal/index.ts";
import { fileStamp } from "../../../src/storage/index.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { thrownBy } from "../../support/thrown-by.ts";
import { travelGuide } from "../travel-guide.ts";
import { guide, minutes } from "./guides.ts";

const program = "travel-guide";
const [one, two, three] = [guide("One."), guide("Two."), guide("Three.")];
const [first, second, third] = [versionOf(one), versionOf(two), versionOf(three)];

/** A registry with all three, and what it is asked with paths and hashes made plain. */
async function registryOfThree(): Promise<{ registry: Registry } & AsyncDisposable> {
  const folder = await temporaryFolder();
  const registry = openRegistry(join(folder.path, "artifacts"), { now: minutes() });
  for (const artifact of [one, two, three]) await registry.add(artifact);
  return { registry, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

describe("a registry", () => {
  it("keeps versions under the first 12 digits of their content hash, and gives them back as they were", async () => {
    await using held = await registryOfThree();
    const { registry } = held;
    const files = await readdir(join(registry.folder, program));
    expect(files).toEqual([first, second, third].map((version) => `${version}.json`).toSorted());
    expect(first).toBe(sha256(canonical(one.compiled)).slice(0, 12));
    const { artifact, version, path } = await registry.resolve(program, first.slice(0, 6));
    expect({ artifact, version }).toEqual({ artifact: one, version: first });
    expect(path).toBe(join(registry.folder, program, `${first}.json`));
    expect((await registry.resolve(program, one.hash)).artifact).toEqual(one);
    expect(loadArtifact(artifact, travelGuide()).components()).toEqual(one.compiled.components);
    expect(await registry.programs()).toEqual([program]);
  });

  it("adds the same content once, whatever its run says", async () => {
    await using held = await registryOfThree();
    const { registry } = held;
    const again = await registry.add({ ...one, run: { note: "elsewhere" } });
    expect(again).toEqual({ version: first, isNew: false });
    expect((await registry.resolve(program, first)).artifact.run).toEqual({});
  });

  it("refuses other content under a version's name, and content that is not what its hash says", async () => {
    await using folder = await temporaryFolder();
    const registry = openRegistry(folder.path);
    await registry.add(one);
    // What a collision of 48 bits would look like: the file of another under this name.
    const path = join(folder.path, program, `${second}.json`);
    await writeFile(path, JSON.stringify(one));
    expect(await thrownBy(() => registry.add(two))).toMatchObject({ code: "artifact-conflict" });
    expect(JSON.parse(await readFile(path, "utf8"))).toEqual(one);
    const changed = { ...three, hash: two.hash };
    expect(await thrownBy(() => registry.add(changed))).toMatchObject({ code: "artifact-invalid" });
    expect(await thrownBy(() => registry.resolve(program, second))).toMatchObject({
      code: "artifact-invalid",
    });
  });

  it("moves aliases, and back as far as there were promotions", async () => {
    await using held = await registryOfThree();
    const { registry } = held;
    await registry.promote(program, first, "production");
    await registry.promote(program, second, "candidate", { by: "Ada", why: "better on val" });
    await registry.promote(program, "candidate", "production");
    expect(await registry.promote(program, second, "production")).toBeNull();
    await registry.promote(program, third, "production");
    expect((await registry.resolve(program, "production")).version).toBe(third);

    expect(await registry.rollback(program, "production", { why: "too slow" })).toEqual({
      alias: "production",
      kind: "rollback",
      from: third,
      to: second,
      at: "2030-01-01T00:05:00.000Z",
      why: "too slow",
    });
    expect((await registry.rollback(program, "production")).to).toBe(first);
    expect(await thrownBy(() => registry.rollback(program, "production"))).toMatchObject({
      code: "artifact-unknown",
    });
    // After a rollback a promotion stands on what came back.
    await registry.promote(program, third, "production");
    expect((await registry.rollback(program, "production")).to).toBe(first);

    const { production, candidate, history } = await registry.aliases(program);
    expect({ production, candidate }).toEqual({ production: first, candidate: second });
    expect(history).toHaveLength(8);
    expect(history[1]).toEqual({
      alias: "candidate",
      kind: "promote",
      from: null,
      to: second,
      at: "2030-01-01T00:01:00.000Z",
      by: "Ada",
      why: "better on val",
    });
  });

  it("does not let an alias name what cannot be read, and leaves it where it was", async () => {
    await using held = await registryOfThree();
    const { registry } = held;
    await registry.promote(program, first, "production");
    await registry.promote(program, second, "production");
    const file = (version: string): string => join(registry.folder, program, `${version}.json`);
    await writeFile(file(third), (await readFile(file(third), "utf8")).slice(0, 500));
    await rename(file(first), join(registry.folder, "elsewhere"));
    const failures = [
      () => registry.promote(program, third, "production"),
      () => registry.promote(program, first, "production"),
      () => registry.rollback(program, "production"),
    ];
    const codes = await Promise.all(failures.map(async (fail) => (await thrownBy(fail)).code));
    expect(codes).toEqual(["artifact-invalid", "artifact-unknown", "file-missing"]);
    expect((await registry.aliases(program)).production).toBe(second);
  });

  it("reads no version again that did not change, and sees at once what another process changed", async () => {
    await using held = await registryOfThree();
    const { registry } = held;
    const folder = join(registry.folder, program);
    const settled = async (path: string): Promise<void> => {
      while (fileStamp(path)?.isSettled === false) await delay(10);
    };
    const artifactsNow = async () => {
      const entries = await registry.list(program);
      return new Map(
        entries.map((entry) => [
          entry.version,
          entry.state === "readable" ? entry.artifact : entry.state,
        ]),
      );
    };
    for (const version of [first, second, third]) await settled(join(folder, `${version}.json`));
    const [before, again] = [await artifactsNow(), await artifactsNow()];
    for (const version of [first, second, third]) {
      expect(again.get(version)).toBe(before.get(version));
    }
    // As another process does it.
    const elsewhere = openRegistry(registry.folder);
    await elsewhere.promote(program, second, "production");
    expect((await registry.aliases(program)).production).toBe(second);
    const { version: added } = await elsewhere.add(guide("Four."));
    expect((await artifactsNow()).has(added)).toBe(true);
    await writeFile(join(folder, `${first}.json`), "{");
    expect((await artifactsNow()).get(first)).toBe("unreadable");
    await rm(join(folder, `${third}.json`));
    expect((await artifactsNow()).has(third)).toBe(false);
  });

  it("lists what it has, also what cannot be read", async () => {
    await using held = await registryOfThree();
    const { registry } = held;
    await registry.promote(program, second, "candidate");
    await writeFile(join(registry.folder, program, `${first}.json`), "{");
    await writeFile(join(registry.folder, program, "notes.json"), "mine");
    const entries = await registry.list(program);
    expect(entries.map(({ version, state, aliases }) => ({ version, state, aliases }))).toEqual(
      [
        { version: first, state: "unreadable", aliases: [] },
        { version: second, state: "readable", aliases: ["candidate"] },
        { version: third, state: "readable", aliases: [] },
      ].toSorted((left, right) => (left.version < right.version ? -1 : 1)),
    );
    expect(await registry.list("another-program")).toEqual([]);
  });

  it("reports on every version, and on aliases that name none", async () => {
    await using held = await registryOfThree();
    const { registry } = held;
    await registry.promote(program, third, "production");
    const file = (version: string): string => join(registry.folder, program, `${version}.json`);
    await rename(file(third), file(first));
    const reports = await registry.verify(program, {
      program: travelGuide({ instruction: "Decide otherwise." }),
    });
    const found = Object.fromEntries(
      reports.map(({ version, aliases, problems }) => [
        version,
        [...aliases, ...problems.map(({ code }) => code)],
      ]),
    );
    expect(found).toEqual({
      [first]: ["artifact-invalid"],
      [second]: ["artifact-drifted"],
      [third]: ["production", "file-missing"],
    });
    expect(await registry.verify(program, { name: second, program: travelGuide() })).toMatchObject([
      { version: second, problems: [] },
    ]);
  });

  it("lists and checks the rest where one file is damaged, whatever the damage is", async () => {
    await using held = await registryOfThree();
    const { registry } = held;
    const file = (name: string): string => join(registry.folder, program, name);
    const deep = `${"[".repeat(3_000)}${"]".repeat(3_000)}`;
    const good = await readFile(file(`${first}.json`), "utf8");
    const damages = [
      deep,
      good.replace('"run": {', `"run": {"deep":${deep}`),
      good.replace('"samples": {', `"samples": {"x":[{"inputs":{"a":${deep}},"messages":[]}],`),
      `{"format":"espalier-artifact/${"9".repeat(5_000)}"}`,
      good.replace('"format": 1', `"format": 1, "${"k".repeat(5_000)}": 1`),
    ];
    for (const damage of damages) {
      expect(damage).not.toBe(good);
      await writeFile(file(`${first}.json`), damage);
      const entries = await registry.list(program);
      const problems = entries.flatMap((entry) =>
        entry.state === "unreadable" ? [entry.problem] : [],
      );
      expect([entries.length, problems.length]).toEqual([3, 1]);
      expect(problems[0]?.code).toBe("artifact-invalid");
      expect(problems[0]?.message.length).toBeLessThan(3_000);
      const reports = await registry.verify(program);
      expect(reports.filter((report) => report.problems.length > 0)).toMatchObject([
        { version: first, problems: [{ code: "artifact-invalid" }] },
      ]);
    }
  });

  it("lists its versions beside a file of aliases that cannot be read, which it names", async () => {
    await using held = await registryOfThree();
    const { registry } = held;
    await writeFile(join(registry.folder, program, "aliases.json"), "{");
    const entries = await registry.list(program);
    const states = ["readable", "readable", "readable", "unreadable"];
    expect(entries.map(({ state }) => state)).toEqual(states);
    expect(entries.at(-1)).toMatchObject({
      version: "aliases.json",
      problem: { code: "file-malformed" },
    });
    const reports = await registry.verify(program);
    expect(reports.map(({ problems }) => problems.length)).toEqual([0, 0, 0, 1]);
    expect(await registry.verify(program, { name: first })).toMatchObject([{ problems: [] }]);
    expect(await thrownBy(() => registry.verify(program, { name: "production" }))).toMatchObject({
      code: "file-malformed",
    });
  });

  it("quotes nothing of a file that a link stands for", async () => {
    await using held = await registryOfThree();
    const { registry } = held;
    const secret = join(registry.folder, "secret.txt");
    const linked = ["0123456789ab.json", "aliases.json"];
    for (const name of linked) await symlink(secret, join(registry.folder, program, name));
    for (const content of ["root:x:0:0:hunter2", "hunter2", '{"password":"hunter2"}']) {
      await writeFile(secret, content);
      const told = JSON.stringify([
        await registry.list(program),
        (await registry.list(program)).map((entry) =>
          entry.state === "unreadable" ? entry.problem.message : "",
        ),
        (await registry.verify(program)).map(({ problems }) => problems.map(String)),
      ]);
      expect(told).toContain("cannot be read");
      expect(told).not.toMatch(/root:|hunter2/);
    }
  });

  it("makes folders of a name with slashes, and finds them again", async () => {
    await using folder = await temporaryFolder();
    const registry = openRegistry(folder.path);
    await mkdir(join(folder.path, "shelf", "guides"), { recursive: true });
    await writeFile(join(folder.path, "shelf", "guides", `${first}.json`), JSON.stringify(one));
    expect(await registry.programs()).toEqual(["shelf/guides"]);
    // It is the artifact of a program with another name, and is not taken for this one's.
    expect(await thrownBy(() => registry.resolve("shelf/guides", first))).toMatchObject({
      code: "artifact-invalid",
    });
  });

  it("lets an alias name nothing, and goes back to nothing from before that", async () => {
    await using held = await registryOfThree();
    const { registry } = held;
    await registry.promote(program, first, "candidate");
    await registry.promote(program, second, "candidate");
    expect(await registry.withdraw(program, "candidate", first)).toBeNull();
    const move = await registry.withdraw(program, "candidate", second, { why: "worse" });
    expect(move).toMatchObject({ kind: "withdraw", from: second, to: null, why: "worse" });
    expect((await registry.aliases(program)).candidate).toBeNull();
    const back = await thrownBy(() => registry.rollback(program, "candidate"));
    expect(back.code).toBe("artifact-unknown");
    await registry.promote(program, third, "candidate");
    expect((await thrownBy(() => registry.rollback(program, "candidate"))).code).toBe(
      "artifact-unknown",
    );
    await registry.promote(program, first, "candidate");
    expect(await registry.rollback(program, "candidate")).toMatchObject({ to: third });
    expect((await registry.aliases(program)).history.at(-3)).toMatchObject({
      from: null,
      to: third,
    });
  });

  it("touches nothing when it is opened and read", async () => {
    await using folder = await temporaryFolder();
    const registry = openRegistry(join(folder.path, "artifacts"));
    expect(await registry.programs()).toEqual([]);
    expect(await registry.list(program)).toEqual([]);
    expect((await registry.aliases(program)).history).toEqual([]);
    expect(await readdir(folder.path)).toEqual([]);
  });
});

describe("a registry says in one sentence what is wrong with", () => {
  it.each<[string, (registry: Registry) => Promise<unknown>]>([
    ["a version that is not there", (registry) => registry.resolve(program, "000000")],
    ["a version of too few digits", (registry) => registry.resolve(program, "abc")],
    ["an alias that nobody set", (registry) => registry.resolve(program, "candidate")],
    ["an alias that there is not", (registry) => registry.resolve(program, "latest")],
    [
      "an alias that there is not, to be moved",
      (registry) => registry.promote(program, first, "../x" as never),
    ],
    ["a program that is not there", (registry) => registry.resolve("guide", "000000")],
    ["a program of which nothing is to be verified", (registry) => registry.verify("guide")],
    ["an alias that never moved", (registry) => registry.rollback(program, "candidate")],
  ])("%s", async (_, ask) => {
    await using held = await registryOfThree();
    const { code, message } = await thrownBy(() => ask(held.registry));
    const plain = message
      .replaceAll(held.registry.folder, "artifacts")
      .replaceAll(/\b[0-9a-f]{12}\b/g, "(version)");
    expect(`${code}: ${plain}`).toMatchSnapshot();
  });

  it("digits that two versions begin with", async () => {
    await using held = await registryOfThree();
    const { registry } = held;
    const [begin, other] = [first.slice(0, 4), first[11] === "0" ? "1" : "0"];
    const twin = `${first.slice(0, 11)}${other}`;
    await writeFile(join(registry.folder, program, `${twin}.json`), "{}");
    const { code, message } = await thrownBy(() => registry.resolve(program, begin));
    expect(code).toBe("artifact-unknown");
    expect(message).toBe(
      `More than one version begins with ${begin} (at program "travel-guide"). ` +
        `Got: ${[first, twin].toSorted().join(", ")}. Use more digits.`,
    );
    expect((await registry.resolve(program, first)).version).toBe(first);
  });

  it("aliases that were edited into nonsense", async () => {
    await using held = await registryOfThree();
    const { registry } = held;
    for (const content of ["", '{"format":"espalier-aliases/1"}', aliasesNaming("../../secret")]) {
      await writeFile(join(registry.folder, program, "aliases.json"), content);
      const failures = [
        () => registry.resolve(program, "production"),
        () => registry.promote(program, first, "production"),
      ];
      for (const fail of failures) expect((await thrownBy(fail)).code).toBe("file-malformed");
    }
    // A version that is named by its hash needs no alias.
    expect((await registry.resolve(program, first)).version).toBe(first);
  });
});

describe("a name that might lead out of the registry is refused:", () => {
  it.each([
    "..",
    "../travel-guide",
    "travel-guide/..",
    "travel-guide/../../x",
    "./travel-guide",
    "/etc",
    "travel-guide/",
    "a//b",
    "",
    "C:\\guides",
    "a\\..\\b",
    "a\0b",
    "con",
    "Lpt1.x",
    "shelf/NUL",
    ".hidden",
    "ends.",
    "aliases.json",
    "a b",
    "%2e%2e",
    "\u202Eguide",
    "x".repeat(300),
  ])("%j", async (name) => {
    await using held = await registryOfThree();
    const { registry } = held;
    const asked = [
      () => registry.resolve(name, "production"),
      () => registry.list(name),
      () => registry.promote(name, first, "production"),
      () => registry.rollback(name, "production"),
      () => registry.verify(name),
      () => registry.resolve(program, name),
      () => registry.promote(program, name, "production"),
      () => registry.verify(program, { name }),
    ];
    for (const ask of asked) expect((await thrownBy(ask)).code).toBe("registry-name-invalid");
    const renamed = { ...one.compiled, program: { ...one.compiled.program, name } };
    const artifact = { ...one, compiled: renamed, hash: sha256(canonical(renamed)) };
    expect((await thrownBy(() => registry.add(artifact))).code).toBe("registry-name-invalid");
  });
});

/** Canonical JSON as the file's description has it: keys in order, nothing between. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, held: unknown) =>
    typeof held === "object" && held !== null && !Array.isArray(held)
      ? Object.fromEntries(Object.entries(held).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : held,
  );
}

function aliasesNaming(production: string): string {
  const format = "espalier-aliases/1";
  return JSON.stringify({ format, production, candidate: null, history: [] });
}
