import { expect, test, vi } from "vitest";
import { cpuMsSince } from "../support/measure.ts";
import { busyTask } from "./busy-task.ts";

test("what the task's function took of the CPU is never more than the process took, however long others had the core", async () => {
  const { task, timer } = busyTask();
  let clock = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (clock += 50));
  const start = process.cpuUsage();
  for (const [exampleId, example] of Object.entries(task.val)) {
    const given = { exampleId, random: undefined, signal: undefined };
    await task.evaluate(
      task.texts,
      example,
      given as unknown as Parameters<typeof task.evaluate>[2],
    );
  }
  expect(timer.evaluatorMs).toBe(50 * timer.calls);
  expect(timer.evaluatorCpuMs).toBeLessThanOrEqual(cpuMsSince(start));
});
