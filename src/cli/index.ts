/**
 * The command line: the only part that reads arguments and the environment, and the only part that
 * prints. It knows studies by path and never knows a program by name. No other part imports it; npm
 * links `bin.ts`.
 */
export { main } from "./main.ts";
