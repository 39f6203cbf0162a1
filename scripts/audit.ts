import { spawnSync } from "node:child_process";
import { scriptOptions } from "./support/script-options.ts";

scriptOptions({
  command: "npm run audit",
  about:
    "Fails if `npm audit` reports a high or critical vulnerability in an installed package. Says so if the registry does not support audits.",
});

interface Audit {
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string }>>;
  readonly error?: { readonly summary?: string; readonly detail?: string };
}

const { stdout } = spawnSync("npm", ["audit", "--json"], { encoding: "utf8" });
const { vulnerabilities, error } = parsed(stdout);
if (vulnerabilities === undefined) {
  console.log(
    `skipped: the registry does not support audits${error?.summary ? ` (${error.summary})` : ""}`,
  );
} else {
  const found = Object.entries(vulnerabilities).map(([name, { severity }]) => ({ name, severity }));
  for (const { name, severity } of found) console.log(`${severity}: ${name}`);
  const grave = found.filter(({ severity }) => severity === "high" || severity === "critical");
  console.log(
    `${found.length} packages with known vulnerabilities, ${grave.length} of them high or critical.`,
  );
  if (grave.length > 0) process.exitCode = 1;
}

function parsed(text: string): Audit {
  try {
    return JSON.parse(text) as Audit;
  } catch {
    return {};
  }
}
