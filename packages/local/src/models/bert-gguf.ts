import type { FileHandle } from "node:fs/promises";
import { open, readFile, rename } from "node:fs/promises";
import { z } from "zod";

/** What neither the weights nor the vocabulary of a BERT say. */
export interface BertShape {
  readonly heads: number;
  /** Of layer norms. */
  readonly epsilon: number;
  /** Tokens of a text, the two that surround it among them; the positions beyond are left out. */
  readonly contextTokens: number;
}

/**
 * Writes a sentence-transformers BERT with mean pooling as a GGUF file, version 3, as llama.cpp's
 * convert_hf_to_gguf.py does it. Weights stay the 32-bit floats that they are.
 *
 * @param files.weights in safetensors
 * @param files.vocabulary WordPiece, a token a line
 */
export async function bertGguf(
  path: string,
  files: { readonly weights: string; readonly vocabulary: string },
  shape: BertShape,
): Promise<void> {
  const lines = (await readFile(files.vocabulary, "utf8")).trimEnd().split("\n");
  await using weights = await open(files.weights);
  const tensors = await tensorsIn(weights, shape);
  const part = `${path}.part`;
  {
    await using out = await open(part, "w");
    await out.write(head(tensors, metadata(tensors, lines, shape)));
    for (const { from, bytes } of tensors) {
      const data = Buffer.alloc(padded(bytes));
      await weights.read(data, 0, bytes, from);
      await out.write(data);
    }
  }
  await rename(part, path);
}

interface Tensor {
  readonly name: string;
  /** Rows before columns; GGUF has them the other way around. */
  readonly shape: readonly number[];
  /** In the file of the weights. */
  readonly from: number;
  readonly bytes: number;
}

const header = z.record(
  z.string(),
  z.object({ shape: z.array(z.int()), data_offsets: z.tuple([z.int(), z.int()]) }),
);

async function tensorsIn(file: FileHandle, { contextTokens }: BertShape): Promise<Tensor[]> {
  const start = Buffer.alloc(8);
  await file.read(start, 0, 8, 0);
  const length = Number(start.readBigUInt64LE());
  const json = Buffer.alloc(length);
  await file.read(json, 0, length, 8);
  const { __metadata__: _, ...entries } = JSON.parse(json.toString()) as Record<string, unknown>;
  return Object.entries(header.parse(entries)).flatMap(([theirs, { shape, data_offsets }]) => {
    const name = nameOf(theirs);
    if (name === undefined) return [];
    const [rows = 0, ...columns] = shape;
    const kept = name === "position_embd.weight" ? Math.min(rows, contextTokens) : rows;
    const bytes = 4 * columns.reduce((product, size) => product * size, kept);
    return { name, shape: [kept, ...columns], from: 8 + length + data_offsets[0], bytes };
  });
}

/** Nothing for what an embedding does not need: the pooler, the positions' numbers. */
function nameOf(theirs: string): string | undefined {
  const [, layer, part, kind] =
    /^(?:encoder\.layer\.(\d+)|embeddings)\.([\w.]+)\.(weight|bias)$/.exec(theirs) ?? [];
  const ours = names[part ?? ""];
  if (ours === undefined || part === undefined) return undefined;
  if (layer !== undefined) return `blk.${layer}.${ours}.${kind}`;
  return `${part === "LayerNorm" ? "token_embd_norm" : ours}.${kind}`;
}

const names: Readonly<Record<string, string>> = {
  word_embeddings: "token_embd",
  token_type_embeddings: "token_types",
  position_embeddings: "position_embd",
  LayerNorm: "token_embd_norm",
  "attention.self.query": "attn_q",
  "attention.self.key": "attn_k",
  "attention.self.value": "attn_v",
  "attention.output.dense": "attn_output",
  "attention.output.LayerNorm": "attn_output_norm",
  "intermediate.dense": "ffn_up",
  "output.dense": "ffn_down",
  "output.LayerNorm": "layer_output_norm",
};

function metadata(
  tensors: readonly Tensor[],
  lines: readonly string[],
  { heads, epsilon }: BertShape,
): readonly Buffer[] {
  const size = (of: string, axis: number): number =>
    tensors.find((tensor) => tensor.name === of)?.shape[axis] ?? 0;
  const blocks = tensors.filter((tensor) => tensor.name.endsWith(".ffn_up.weight"));
  const special = (token: string): boolean => /^\[(PAD|UNK|CLS|SEP|MASK)\]$/.test(token);
  const idOf = (key: string, token: string): Buffer =>
    entry(`tokenizer.ggml.${key}_token_id`, types.u32, u32(lines.indexOf(token)));
  return [
    entry("general.architecture", types.text, text("bert")),
    entry("bert.block_count", types.u32, u32(blocks.length)),
    entry("bert.context_length", types.u32, u32(size("position_embd.weight", 0))),
    entry("bert.embedding_length", types.u32, u32(size("token_embd.weight", 1))),
    entry("bert.feed_forward_length", types.u32, u32(size("blk.0.ffn_up.weight", 0))),
    entry("bert.attention.head_count", types.u32, u32(heads)),
    entry("bert.attention.layer_norm_epsilon", types.f32, f32(epsilon)),
    entry("bert.attention.causal", types.flag, Buffer.from([0])),
    entry("bert.pooling_type", types.u32, u32(meanPooling)),
    entry("tokenizer.ggml.model", types.text, text("bert")),
    entry("tokenizer.ggml.tokens", types.list, list(types.text, lines.map(phantom).map(text))),
    entry(
      "tokenizer.ggml.token_type",
      types.list,
      list(
        types.i32,
        lines.map((line) => u32(special(line) ? control : normal)),
      ),
    ),
    entry("tokenizer.ggml.token_type_count", types.u32, u32(size("token_types.weight", 0))),
    idOf("bos", "[CLS]"),
    idOf("cls", "[CLS]"),
    idOf("seperator", "[SEP]"),
    idOf("padding", "[PAD]"),
    idOf("unknown", "[UNK]"),
    idOf("mask", "[MASK]"),
  ];
}

/** As llama.cpp numbers them. */
const [meanPooling, normal, control] = [1, 1, 3];

/** A token that begins a word gets a mark; llama.cpp knows those that go on by its absence. */
function phantom(token: string): string {
  if (token.startsWith("[") && token.endsWith("]")) return token;
  return token.startsWith("##") ? token.slice(2) : `\u2581${token}`;
}

function head(tensors: readonly Tensor[], entries: readonly Buffer[]): Buffer {
  let offset = 0;
  const described = tensors.map(({ name, shape, bytes }) => {
    const at = offset;
    offset += padded(bytes);
    const sizes = shape.toReversed().map(u64);
    return Buffer.concat([text(name), u32(shape.length), ...sizes, u32(f32Tensor), u64(at)]);
  });
  const counts = [u64(tensors.length), u64(entries.length)];
  const all = Buffer.concat([Buffer.from("GGUF"), u32(3), ...counts, ...entries, ...described]);
  return Buffer.concat([all], padded(all.length));
}

const f32Tensor = 0;
const types = { u32: 4, i32: 5, f32: 6, flag: 7, text: 8, list: 9 } as const;

/** Data begins at multiples of 32 bytes. */
function padded(bytes: number): number {
  return Math.ceil(bytes / 32) * 32;
}

function entry(key: string, type: number, value: Buffer): Buffer {
  return Buffer.concat([text(key), u32(type), value]);
}

function list(type: number, items: readonly Buffer[]): Buffer {
  return Buffer.concat([u32(type), u64(items.length), ...items]);
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([u64(bytes.length), bytes]);
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function f32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
}
