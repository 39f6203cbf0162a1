import { join, resolve } from "node:path";
import { conformanceChecks, runCheck } from "./conformance/run-checks.ts";
import { scriptOptions } from "./support/script-options.ts";

// Prints one line for each reference. Fails if one differs or is missing.
const { values, flags } = scriptOptions({
  command: "npm run conformance",
  about: "Checks every formula against values recorded from the official scripts.",
  options: {
    json: { about: "Print only the counts, as JSON" },
    shared: {
      about: "Folder of the recorded values; ESPALIER_SHARED overrides the default",
      value: "DIR",
      preset: process.env["ESPALIER_SHARED"] ?? "../shared",
    },
  },
});
const folder = join(resolve(values.shared ?? ""), "data");
const counts: Record<string, { readonly passed: number; readonly total: number }> = {};
const problems: string[] = [];
for (const check of conformanceChecks) {
  const outcome = await runCheck(check, folder);
  const { passed, total } =
    outcome.state === "missing" ? { passed: 0, total: 0 } : outcome.agreement;
  counts[check.name] = { passed, total };
  if (outcome.state !== "agrees") problems.push(check.name);
  if (flags.has("json")) continue;
  if (outcome.state === "missing") {
    console.log(`missing  ${check.name}: ${outcome.files.join(", ")}`);
    continue;
  }
  const note = outcome.agreement.note === undefined ? "" : ` (${outcome.agreement.note})`;
  console.log(
    `${outcome.state === "agrees" ? "agrees " : "DIFFERS"}  ${check.name}: ${passed}/${total}${note}; tolerance ${check.tolerance}`,
  );
}
if (flags.has("json")) console.log(JSON.stringify(counts, null, 2));
else if (problems.length === 0) console.log(`All ${conformanceChecks.length} references agree.`);
if (problems.length > 0) {
  console.error(
    `${problems.length} of ${conformanceChecks.length} references differ or are missing from ${folder}: ${problems.join("; ")}. Name their folder with --shared or ESPALIER_SHARED.`,
  );
  process.exitCode = 1;
}
