/** Trained models inside the process: llama.cpp through node-llama-cpp. */
export type { LocalOptions } from "./connect-local.ts";
export { connectLocal } from "./connect-local.ts";
export type { LocalEmbedder, LocalEmbedderOptions } from "./connect-local-embedder.ts";
export { connectLocalEmbedder } from "./connect-local-embedder.ts";
export { smallest } from "./models/catalog.ts";
export type { ListedModel, PullOptions } from "./models/model-file.ts";
export { listModels, modelFile, removeModel } from "./models/model-file.ts";
