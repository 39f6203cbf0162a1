/** Serves the rehearsal LM: `npm run rehearsal -- --port 8000 --host 127.0.0.1`. */
import { once } from "node:events";
import { serveRehearsal } from "@espalier/rehearsal";
import { scriptOptions } from "./support/script-options.ts";

const { values } = scriptOptions({
  command: "npm run rehearsal",
  about: "Serves the rehearsal LM over an OpenAI-compatible API until interrupted.",
  options: {
    port: { about: "Port to listen on", value: "PORT", preset: "8000" },
    host: { about: "Address to listen on", value: "HOST", preset: "127.0.0.1" },
  },
});

await using server = await serveRehearsal({
  port: Number(values.port),
  host: values.host ?? "127.0.0.1",
});
console.log(server.url);
await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
