/** Loaded into each process of the bench before its own code; reports its usage on request. */
import type { Used } from "./server-process.ts";

process.on("message", (message) => {
  if (message !== "used") return;
  const { user, system } = process.cpuUsage();
  const used: Used = {
    cpuMs: (user + system) / 1_000,
    rssMb: process.memoryUsage.rss() / 2 ** 20,
    // In KiB on every platform.
    peakRssMb: process.resourceUsage().maxRSS / 1_024,
  };
  process.send?.(used);
});
// Must not keep the process alive.
process.channel?.unref();
