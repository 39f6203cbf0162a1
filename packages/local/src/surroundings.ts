import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** What the machine and its user decide. */
export interface Surroundings {
  /**
   * Where weights are kept, shared by all projects of a user: ESPALIER_MODELS, or
   * `espalier/models` in the system's cache folder.
   */
  readonly folder: string;
  /** Of Hugging Face or a mirror of it, without a slash at its end: HF_ENDPOINT. */
  readonly endpoint: string;
  /** For weights that need an account: HF_TOKEN. */
  readonly token: string | undefined;
  /** The command that runs Python. */
  readonly python: string;
  /** The package with llama.cpp's binary for this platform. */
  readonly binary: string;
}

export function surroundings(): Surroundings {
  const { env, platform, arch } = process;
  const isWindows = platform === "win32";
  const { ESPALIER_MODELS: chosen, XDG_CACHE_HOME: cache, LOCALAPPDATA: local } = env;
  const caches = (isWindows ? local : cache) || join(homedir(), ".cache");
  const names: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: "mac", win32: "win" };
  return {
    folder: chosen ? resolve(chosen) : join(caches, "espalier", "models"),
    endpoint: env["HF_ENDPOINT"] || "https://huggingface.co",
    token: env["HF_TOKEN"] || undefined,
    python: isWindows ? "python" : "python3",
    binary: `@node-llama-cpp/${names[platform] ?? platform}-${arch}${platform === "darwin" && arch === "arm64" ? "-metal" : ""}`,
  };
}
