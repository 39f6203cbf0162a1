import { expect, test, vi } from "vitest";
import { cpuMsSince } from "./measure.ts";
import { stopwatch } from "./stopwatch.ts";

test("what the work took of the CPU is never more than the process took, however long others had the core", () => {
  const watch = stopwatch();
  let clock = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (clock += 50));
  const start = process.cpuUsage();
  for (let time = 0; time < 20; time++) watch.time(() => JSON.stringify(process.versions));
  expect(watch.wallMs).toBe(50 * 20);
  expect(watch.cpuMs).toBeLessThanOrEqual(cpuMsSince(start));
});
