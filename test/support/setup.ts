import { afterEach, beforeEach } from "vitest";
import "./no-outside-requests.ts";

/**
 * A stray line on the console fails the test that wrote it. A test about output replaces the method
 * (`vi.spyOn(console, "log")`), and then this does not see the call.
 */
const methods = ["debug", "dir", "error", "info", "log", "table", "trace", "warn"] as const;
const written: string[] = [];

for (const method of methods) {
  console[method] = (...values: unknown[]) => {
    written.push(`console.${method}(${values.map(String).join(", ")})`);
  };
}

beforeEach(() => {
  written.length = 0;
});

afterEach(() => {
  if (written.length > 0) throw new Error(`Stray console output: ${written.splice(0).join("; ")}`);
});
