import { fileURLToPath } from "node:url";

/** What `batch` and `serve` are given. */
export const servingFile = fileURLToPath(new URL("serving.ts", import.meta.url));

/** The only model of the serving file. */
export const servedModel = "hanrag";
