import { spawn } from "node:child_process";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { text as readAll } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import type { Artifact } from "espalier/artifact";
import { compileArtifact, openRegistry, versionOf, writeArtifact } from "espalier/artifact";
import type { CliResult } from "../../support/run-cli.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { townQuestions } from "../../support/town-questions.ts";
import { answerer } from "../fixtures/towns.ts";

const towns = "test/cli/fixtures/towns.ts";
const [question] = townQuestions(1);

function compiled(instruction: string, module = "../../towns.ts"): Artifact {
  return compileArtifact({
    program: answerer,
    module,
    candidate: [{ kind: "instruction", path: "judge", value: instruction }],
    lm: { provider: "openai-compatible", model: "some-model" },
    samples: { judge: [question?.input ?? {}] },
  } as any);
}

const [one, two] = [
  compiled("Decide whether the passages hold the answer."),
  compiled("Decide whether one of the passages holds it."),
];
const [first, second] = [versionOf(one), versionOf(two)];

/** Files of both artifacts, and the command on a registry beside them. */
async function kept() {
  const folder = await temporaryFolder();
  const [fileOne, fileTwo] = [join(folder.path, "one.json"), join(folder.path, "two.json")];
  await writeArtifact(fileOne, one);
  await writeArtifact(fileTwo, two);
  const registry = join(folder.path, "artifacts");
  const plain = (text: string): string =>
    text
      .replaceAll(folder.path, ".")
      .replaceAll(first, "(first)")
      .replaceAll(second, "(second)")
      .replaceAll(/\b[0-9a-f]{12}\b/g, "(hash)")
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "(time)");
  return {
    folder: folder.path,
    registry,
    fileOne,
    fileTwo,
    plain,
    /** Runs commands one after the other, all in one process, which takes longest to start. */
    runAll: (...commands: readonly (readonly string[])[]): Promise<readonly CliResult[]> =>
      runInTurn(commands.map((words) => ["artifact", ...words, "--registry", registry])),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

/** Ends what each command printed, on both streams, with its exit code. */
const eachInTurn = `
  import { main } from ${JSON.stringify(resolve("src/cli/main.ts"))};
  for (const words of JSON.parse(process.argv[1])) {
    process.exitCode = 0;
    await main(words);
    for (const stream of [process.stdout, process.stderr]) stream.write(process.exitCode + "\\0");
  }
`;

async function runInTurn(commands: readonly (readonly string[])[]): Promise<readonly CliResult[]> {
  const child = spawn(
    process.execPath,
    [
      "--conditions=espalier:source",
      "--input-type=module",
      "--eval",
      eachInTurn,
      JSON.stringify(commands),
    ],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  const [stdout, stderr] = await Promise.all([readAll(child.stdout), readAll(child.stderr)]);
  const errors = stderr.split("\0");
  return stdout
    .split("\0")
    .slice(0, -1)
    .map((text, index) => ({
      code: Number(text.at(-1)),
      stdout: text.slice(0, -1),
      stderr: errors[index]?.slice(0, -1) ?? "",
    }));
}

describe("espalier artifact", () => {
  it("adds, lists, compares, promotes and goes back", async () => {
    await using at = await kept();
    const results = await at.runAll(
      ["list"],
      ["add", at.fileOne, "--to", "production", "--by", "Ada"],
      ["add", at.fileTwo, "--to", "candidate"],
      ["add", at.fileTwo],
      ["diff", "answerer"],
      ["promote", "answerer", "candidate", "--why", "better on val"],
      ["promote", "answerer", second],
      ["rollback", "answerer"],
      ["rollback", "answerer"],
      ["show", "answerer", "--json"],
      ["list", "answerer", "--json"],
    );
    const shown = results
      .slice(0, -2)
      .map(({ code, stdout, stderr }) => `${code}\n${stdout}${stderr}`);
    expect(at.plain(shown.join("---\n"))).toMatchSnapshot();
    const [described, listed] = results.slice(-2).map(({ stdout }) => JSON.parse(stdout));
    expect(described).toMatchObject({ version: first, artifact: one, moves: { length: 3 } });
    expect(
      Object.fromEntries(listed[0].versions.map((entry: any) => [entry.version, entry.aliases])),
    ).toEqual({ [first]: ["production"], [second]: ["candidate"] });
  });

  it("withdraws a candidate with a reason, once, and refuses a program that is not there", async () => {
    await using at = await kept();
    const registry = openRegistry(at.registry);
    await registry.add(two);
    await registry.promote("answerer", second, "candidate");
    const results = await at.runAll(
      ["withdraw", "answerer", "--by", "Ada", "--why", "rambles"],
      ["withdraw", "answerer"],
      ["withdraw", "answerrer"],
      ["rollback", "answerer", "--of", "candidate"],
    );
    expect(results.map(({ code }) => code)).toEqual([0, 0, 2, 2]);
    const [withdrawn, again, misspelt] = results;
    expect(at.plain(withdrawn?.stdout ?? "")).toBe(
      "(time)  candidate  (second) -> nothing (withdraw, by Ada: rambles)\n",
    );
    expect(again?.stdout).toBe("candidate of answerer is already clear\n");
    expect(misspelt?.stderr).toMatch(/no such program.*Expected: answerer\. Got: "answerrer"/);
    expect((await registry.aliases("answerer")).candidate).toBeNull();
  });

  it("verifies files and drift; it ends with 1 when anything is wrong", async () => {
    await using at = await kept();
    const changed = join(at.folder, "serving.ts");
    await writeFile(
      changed,
      `import { answerer } from ${JSON.stringify(resolve(towns))};
       const program = { ...answerer, version: "2" };
       export default { name: "towns", models: [{ id: "towns/answerer", program }] };`,
    );
    const ofParts = join(at.folder, "of-parts.ts");
    await writeFile(
      ofParts,
      `import { answerer } from ${JSON.stringify(resolve(towns))};
       export default async ({ lm }) => ({ models: [{ id: "answerer", program: answerer, lm }] });`,
    );
    const [added, , valid, drifted, made] = await at.runAll(
      ["add", at.fileOne, "--json"],
      ["add", at.fileTwo],
      ["verify", "answerer", first, "--study", towns],
      ["verify", "answerer", first, "--study", changed],
      ["verify", "answerer", first, "--study", ofParts],
    );
    expect(valid).toMatchObject({ code: 0, stdout: `${first}  valid\n` });
    expect(made).toMatchObject({ code: 0, stdout: `${first}  valid\n` });
    const { path } = JSON.parse(added?.stdout ?? "");
    await writeFile(
      path,
      (await readFile(path, "utf8")).replace('"provider": "', '"provider": "x'),
    );
    const [all] = await at.runAll(["verify", "answerer"]);
    expect(all?.code).toBe(1);
    expect(all?.stdout).toContain(`${first}  INVALID\n  artifact-invalid: `);
    expect(all?.stdout).toContain(`${second}  valid\n`);
    expect(drifted?.code).toBe(1);
    expect(drifted?.stdout).toContain('version of the program was "1" and is "2"');
  });

  it("exports prompts for any chat API", async () => {
    await using at = await kept();
    const out = join(at.folder, "exports", "messages.json");
    const [, messages, written] = await at.runAll(
      ["add", at.fileOne, "--to", "production"],
      ["export", "answerer", "production"],
      ["export", "answerer", first, "--out", out],
    );
    expect(messages?.code).toBe(0);
    expect(messages?.stderr).toBe("answer has no recorded input, so its prompt is unknown.\n");
    expect(JSON.parse(messages?.stdout ?? "")).toMatchObject({
      format: "espalier-messages/1",
      predictors: { judge: { messages: [{ role: "system" }] } },
      notRecorded: ["answer"],
    });
    expect(written).toMatchObject({ code: 0, stdout: "" });
    expect(await readFile(out, "utf8")).toBe(messages?.stdout);
    // Exports are made to be shared, as far as the umask lets them.
    expect((await stat(out)).mode & 0o777).toBe(0o666 & ~process.umask());
  });

  it("takes nothing from elsewhere than its folder, and says where a program will not be found", async () => {
    await using at = await kept();
    await mkdir(join(at.folder, "elsewhere"));
    await writeArtifact(join(at.folder, "elsewhere", `${first}.json`), one);
    const [added, shown] = await at.runAll(["add", at.fileOne], ["show", "../elsewhere", first]);
    expect(added?.stderr).toContain("The artifact's program path, ../../towns.ts, is relative to");
    expect(shown?.code).toBe(2);
    expect(shown?.stderr).toContain(
      "registry-name-invalid: This is not a valid name for a program",
    );
    expect(await openRegistry(at.registry).programs()).toEqual(["answerer"]);
  });

  it("ends with 2 and a sentence for what cannot be done", async () => {
    await using at = await kept();
    await openRegistry(at.registry).add(one);
    const text = await readFile(at.fileTwo, "utf8");
    await writeFile(join(at.registry, "answerer", `${second}.json`), text.slice(0, 999));
    await writeFile(join(at.folder, "half.json"), text.slice(0, text.length / 2));
    await writeFile(join(at.folder, "wrong-hash.json"), text.replace(two.hash, one.hash));
    await writeFile(join(at.folder, "other.ts"), "export const nothing = 1;");
    const file = (name: string): string => join(at.folder, name);
    const commands: Readonly<Record<string, readonly string[]>> = {
      "a file that is not there": ["add", file("none.json")],
      "a truncated file": ["add", file("half.json")],
      "a file with the hash of another": ["add", file("wrong-hash.json")],
      "a note on a move that there is not": ["add", at.fileOne, "--why", "better"],
      "a version that is not there": ["show", "answerer", "0000"],
      "digits that are none": ["show", "answerer", "zzzz"],
      "an alias that nobody set": ["diff", "answerer"],
      "an alias that there is not": ["promote", "answerer", first, "--to", "latest"],
      "a program that is not there": ["verify", "answer"],
      "a version whose file was cut": ["promote", "answerer", second],
      "nothing to go back to": ["rollback", "answerer"],
      "a study without that program": ["verify", "answerer", first, "--study", file("other.ts")],
      "a misspelt option": ["list", "--jsn"],
    };
    const results = await at.runAll(...Object.values(commands));
    const told = Object.keys(commands).map((name, index) => {
      const { code, stdout, stderr } = results[index] ?? {};
      return `${name}: ${code}\n${stdout}${stderr}`;
    });
    expect(at.plain(told.join("\n"))).toMatchSnapshot();
    expect(results.map(({ code }) => code)).toEqual(results.map(() => 2));
  });
});
