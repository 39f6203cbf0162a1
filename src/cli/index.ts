/**
 * The command line: the only part that reads arguments and the environment and prints. Knows studies
 * by their path only, never a program by name. Nothing else imports it; `bin.ts` is what npm links.
 */
export { main } from "./main.ts";
