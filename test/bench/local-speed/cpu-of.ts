import { readFileSync, readdirSync, readlinkSync } from "node:fs";

const ticksPerSecond = 100;

/**
 * CPU seconds so far of the process that listens on a port of this machine, its descendants
 * included; `null` where Linux's /proc does not tell.
 */
export function cpuSecondsOf(url: string): number | null {
  const processes = statsOfProcesses();
  const listener = processes.find(({ pid }) => pid === listenerOn(Number(new URL(url).port)));
  if (listener === undefined) return null;
  const family = [listener];
  // The list grows while it is walked.
  for (const { pid } of family) family.push(...processes.filter(({ parent }) => parent === pid));
  return family.reduce((sum, { ticks }) => sum + ticks, 0) / ticksPerSecond;
}

function statsOfProcesses(): readonly { pid: number; parent: number; ticks: number }[] {
  return namesIn("/proc").flatMap((name) => {
    const stat = /^\d+$/.test(name) ? textOf(`/proc/${name}/stat`) : "";
    // The program's name, in parentheses, may hold spaces.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [parent, user, system] = [fields[1], fields[11], fields[12]].map(Number);
    if (stat === "" || parent === undefined) return [];
    return [{ pid: Number(name), parent, ticks: (user ?? 0) + (system ?? 0) }];
  });
}

function listenerOn(port: number): number | undefined {
  const hex = port.toString(16).toUpperCase().padStart(4, "0");
  const listening = "0A";
  const lines = ["tcp", "tcp6"].flatMap((table) => textOf(`/proc/net/${table}`).split("\n"));
  const sockets = new Set(
    lines
      .map((line) => line.trim().split(/\s+/))
      .filter(([, local, , state]) => local?.endsWith(`:${hex}`) && state === listening)
      .map((fields) => `socket:[${fields[9]}]`),
  );
  const holds = (pid: string): boolean =>
    namesIn(`/proc/${pid}/fd`).some((fd) => sockets.has(linkOf(`/proc/${pid}/fd/${fd}`)));
  const found = namesIn("/proc").filter((name) => /^\d+$/.test(name) && holds(name));
  // A socket that children inherited belongs to the eldest.
  return found.map(Number).toSorted((one, two) => one - two)[0];
}

const namesIn = (path: string): readonly string[] => orElse(() => readdirSync(path), []);
const textOf = (path: string): string => orElse(() => readFileSync(path, "utf8"), "");
const linkOf = (path: string): string => orElse(() => readlinkSync(path), "");

/** Processes end while they are read, and those of others cannot be. */
function orElse<TValue>(read: () => TValue, other: TValue): TValue {
  try {
    return read();
  } catch {
    return other;
  }
}
