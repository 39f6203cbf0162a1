import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import net from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import tls from "node:tls";
import { expect, test } from "vitest";

// 192.0.2.0/24 is reserved for documentation: nothing answers there.
const outside = "192.0.2.1";
const refusal = "tests may reach this machine only";

test("a request to an outside address fails at once, whichever client makes it", async () => {
  const refused = { cause: { message: expect.stringContaining(refusal) as string } };
  await expect(fetch(`http://${outside}/`)).rejects.toMatchObject(refused);
  await expect(fetch("https://example.com/")).rejects.toMatchObject(refused);
  expect(() => http.get(`http://${outside}/`)).toThrow(refusal);
  expect(() => https.get(`https://${outside}/`)).toThrow(refusal);
  expect(() => net.connect(80, outside)).toThrow(refusal);
  expect(() => net.connect({ host: outside, port: 80 })).toThrow(refusal);
  expect(() => tls.connect(443, outside)).toThrow(refusal);
});

test("a server on this machine can be reached", async () => {
  await using server = http.createServer((_, response) => void response.end("here"));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as net.AddressInfo;
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("here");
  expect(await (await fetch(`http://localhost:${port}/`)).text()).toBe("here");
});

test("a stray line on the console fails its test, and no other", () => {
  const { status, output } = vitestOn(`
    test("quiet", () => {});
    test("loud", () => console.warn("left", "over"));
    test("quiet again", () => {});
    test("about output", () => {
      const log = vi.spyOn(console, "log").mockImplementation(() => {});
      console.log("expected");
      expect(log).toHaveBeenCalledWith("expected");
    });
  `);
  expect(status).toBe(1);
  expect(output).toContain("Stray console output: console.warn(left, over)");
  expect(output).toMatch(/Tests +1 failed \| 3 passed/);
});

/** Runs one test file, elsewhere, with the setup file under test. */
function vitestOn(code: string): { status: number | null; output: string } {
  const root = mkdtempSync(join(tmpdir(), "espalier-setup-"));
  const setup = JSON.stringify(join(import.meta.dirname, "setup.ts"));
  writeFileSync(
    join(root, "vitest.config.ts"),
    `export default { test: { globals: true, restoreMocks: true, setupFiles: [${setup}] } };`,
  );
  writeFileSync(join(root, "planted.test.ts"), code);
  const command = resolve(import.meta.dirname, "../../node_modules/vitest/vitest.mjs");
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, "run", "--root", root], {
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: "0" },
  });
  rmSync(root, { recursive: true, force: true });
  return { status, output: stdout + stderr };
}
