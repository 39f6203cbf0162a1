import { once } from "node:events";
import { supervisor } from "./support/supervisor.ts";
import { vllmServers } from "./support/vllm-servers.ts";

/** Keeps servers between test runs: set `ESPALIER_TEST_VLLM` to the URL that this prints. */
await using running = await supervisor(await vllmServers());
console.log(`ESPALIER_TEST_VLLM=${running.url} npm run test:vllm`);
await once(process, "SIGINT");
