// Stands between a client and the real MCP server, and appends each call of a tool to a file.
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [log, bin] = process.argv.slice(2);
const server = spawn(process.execPath, [bin, "stdio"], { stdio: ["pipe", "pipe", "ignore"] });
server.stdout.pipe(process.stdout);
createInterface({ input: process.stdin }).on("line", (line) => {
  const { method, params } = JSON.parse(line);
  if (method === "tools/call") appendFileSync(log, `${JSON.stringify(params.arguments)}\n`);
  server.stdin.write(`${line}\n`);
});
process.stdin.on("end", () => server.kill());
server.on("exit", () => process.exit());
