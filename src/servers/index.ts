/**
 * Which server plays which part: the servers file, and the parts that studies and serving files
 * take from it. Knows how to connect a part and what replaces it, and nothing about programs.
 */
export type { Parts, PartsOptions, RerankerChoice, ServedPart, TokenServer } from "./parts.ts";
export { parts, yesNoName } from "./parts.ts";
export type { MockModels } from "./part-sources.ts";
export { keyOf, secretsOf } from "./key-of.ts";
export { defaultServersFile, foundServersFile, readServers } from "./read-servers.ts";
export type { LmServer, Servers } from "./servers.ts";
export { isLocalModel, serversSchema, mockMark } from "./servers-file.ts";
