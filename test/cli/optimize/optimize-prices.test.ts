import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runMain } from "../../support/run-main.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const price = { promptUsdPerMillion: 1, completionUsdPerMillion: 4 };

it.each([
  ["no role", {}, "`student` and `reflection`"],
  ["the student alone", { student: price }, "`reflection`"],
])("--max-usd with prices of %s is refused, naming what lacks", async (_, prices, named) => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "prices.json");
  await writeFile(path, JSON.stringify(prices));
  const { code, stdout, stderr } = await runMain([
    "optimize",
    "test/cli/fixtures/places.ts",
    "--max-usd",
    "1",
    "--prices",
    path,
  ]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain("option-invalid");
  expect(stderr).toContain(`without prices for ${named}.`);
});
