import type { ServerExamination } from "espalier/lm";
import { runCli } from "../../support/run-cli.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import type { VllmAddress } from "./server-kinds.ts";

const examined = new Map<string, Promise<ServerExamination>>();

/** What `espalier doctor` prints about a server's model, asked once for each. */
export function examination(
  address: VllmAddress,
  model = address.model,
): Promise<ServerExamination> {
  const key = `${address.baseUrl} ${model}`;
  const known = examined.get(key) ?? examine({ ...address, model });
  examined.set(key, known);
  return known;
}

async function examine({ baseUrl, model, apiKey }: VllmAddress): Promise<ServerExamination> {
  await using folder = await temporaryFolder();
  const { code, stdout, stderr } = await runCli(
    ["doctor", "--lm", baseUrl, "--model", model, "--json"],
    { cwd: folder.path, env: apiKey === undefined ? {} : { ESPALIER_API_KEY: apiKey } },
  );
  if (code !== 0) throw new Error(`doctor ended with ${code}:\n${stderr}`);
  return JSON.parse(stdout) as ServerExamination;
}

export function supportedBy({ capabilities }: ServerExamination): string[] {
  return Object.entries(capabilities)
    .filter(([, { state }]) => state === "supported")
    .map(([name]) => name);
}
