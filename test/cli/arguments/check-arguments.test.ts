import { expect, it } from "vitest";
import { renamedOptions } from "../../../src/cli/arguments/renamed-options.ts";
import { runMain } from "../../support/run-main.ts";

it.each([
  ["--mmu-rag", "serve", "--protocol FILE"],
  ["--chats", "serve", "--max-requests"],
  ["--open", "serve", "--no-auth"],
  ["--stall-timeout", "eval", "--idle-timeout"],
  ["--trusted", "serve", "--trusted-keys"],
])("%s of an earlier version is refused with its new name", async (option, command, renamed) => {
  const { code, stdout, stderr } = await runMain([command, "file.ts", option, "1"]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(`Unknown option ${option}`);
  expect(stderr).toContain(`It is now \`${renamed}`);
});

it("no renamed option is an option again", async () => {
  const { stdout } = await runMain(["serve", "--help"]);
  for (const name of Object.keys(renamedOptions)) expect(stdout).not.toMatch(`--${name}[ =]`);
  expect(stdout).toContain("--no-auth");
});
