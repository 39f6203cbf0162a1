import type { ServerExamination } from "../../lm/index.ts";
import { serverList } from "../../lm/files.ts";
import type { AnyCommand } from "../arguments/arguments.ts";
import { jsonArgument } from "../arguments/arguments.ts";
import { command } from "../arguments/command.ts";
import { examineLm, stallArgument, stallTimeoutMs } from "./examine-lm.ts";
import { abortOnInterrupt } from "../arguments/interrupt.ts";
import { checkedAddresses, serverKey } from "../arguments/server-addresses.ts";
import { rehearsalPackage } from "../lm/rehearsal-package.ts";
import { print } from "../terminal/terminal.ts";

/** `espalier doctor`: probes what a server supports and stores the result for later connections. */
export const doctorSubcommand: AnyCommand = command({
  args: {
    lm: {
      type: "string",
      description:
        "Base URLs of OpenAI-compatible servers, comma-separated or listed in @FILE; or `rehearsal`",
      valueHint: "URL",
      required: true,
    },
    model: {
      type: "string",
      description: "Model to probe; optional if the server offers only one",
      valueHint: "NAME",
    },
    fresh: {
      type: "boolean",
      description: "Ignore stored results and probe again",
      default: false,
    },
    ...stallArgument,
    ...jsonArgument,
  },
  run: async (given) => {
    using interrupt = abortOnInterrupt();
    await using embedded = given.lm === "rehearsal" ? await embeddedServer() : undefined;
    const urls =
      embedded === undefined
        ? await serverList(checkedAddresses(given.lm)).read()
        : [`${embedded.url}/v1`];
    const all: ServerExamination[] = [];
    for (const baseUrl of urls) {
      const examination = await examineLm(baseUrl, {
        ...serverKey(),
        model: given.model,
        // Another server may use the embedded server's port tomorrow.
        isKept: embedded === undefined,
        isFresh: given.fresh,
        stallTimeoutMs: stallTimeoutMs(given["stall-timeout"]),
        signal: interrupt.signal,
        show: given.json ? () => {} : print,
      });
      all.push(examination);
    }
    if (given.json) print(JSON.stringify(urls.length === 1 ? all[0] : all));
  },
});

async function embeddedServer(): Promise<AsyncDisposable & { readonly url: string }> {
  const { serveRehearsal } = await rehearsalPackage();
  return serveRehearsal();
}
