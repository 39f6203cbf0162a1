import { hostname } from "node:os";

/** Tells this process from others, for a person to read. */
export function thisProcess(): { readonly pid: number; readonly host: string } {
  return { pid: process.pid, host: hostname() };
}
