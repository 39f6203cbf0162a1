/** Serves the rehearsal LM: `npm run rehearsal -- --port 8000 --host 127.0.0.1`. */
import { once } from "node:events";
import { parseArgs } from "node:util";
import { serveRehearsal } from "../src/rehearsal/index.ts";

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "8000" },
    host: { type: "string", default: "127.0.0.1" },
  },
});

await using server = await serveRehearsal({ port: Number(values.port), host: values.host });
console.log(server.url);
await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
