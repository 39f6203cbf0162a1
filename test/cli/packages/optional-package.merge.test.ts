import { expect, test } from "vitest";
import { runCli } from "../../support/run-cli.ts";
import { withoutPackage } from "../../support/without-package.ts";

test.each([
  ["@espalier/postgres", "postgres://me:s3cret@127.0.0.1:1/towns", "The index in PostgreSQL"],
  ["@espalier/lance", "lance:nowhere", "The index in LanceDB"],
])("without %s a command says what to install", async (name, place, subject) => {
  const env = withoutPackage(name);
  const { code, stdout, stderr } = await runCli(["corpus", "inspect", place], { env });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(
    `usage-invalid: ${subject} is not installed: package \`${name}\` is missing`,
  );
  expect(stderr).toContain(`npm install ${name}`);
  expect(stderr).not.toContain("s3cret");
});
