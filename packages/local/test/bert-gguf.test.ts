import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readGgufFileInfo } from "node-llama-cpp";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { bertGguf } from "../src/models/bert-gguf.ts";

const layer = "encoder.layer.0";
/** Shapes by the names of sentence-transformers; 4 numbers a token, 3 positions, one layer. */
const weights: Readonly<Record<string, readonly number[]>> = {
  "embeddings.word_embeddings.weight": [8, 4],
  "embeddings.position_ids": [1, 3],
  "embeddings.position_embeddings.weight": [3, 4],
  "embeddings.token_type_embeddings.weight": [2, 4],
  "embeddings.LayerNorm.bias": [4],
  [`${layer}.attention.self.key.bias`]: [4],
  [`${layer}.attention.output.LayerNorm.weight`]: [4],
  [`${layer}.intermediate.dense.weight`]: [6, 4],
  [`${layer}.output.dense.weight`]: [4, 6],
  [`${layer}.output.LayerNorm.bias`]: [4],
  "pooler.dense.weight": [4, 4],
};
const vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "boat", "##s", "[unused0]"];

test("a BERT in safetensors becomes a GGUF file that another reader understands", async () => {
  await using folder = await temporaryFolder();
  const place = (name: string): string => join(folder.path, name);
  const numbers = await writeSafetensors(place("model.safetensors"));
  await writeFile(place("vocab.txt"), `${vocabulary.join("\n")}\n`);

  const files = { weights: place("model.safetensors"), vocabulary: place("vocab.txt") };
  const shape = { heads: 2, epsilon: 1e-12, contextTokens: 2 };
  await bertGguf(place("tiny.gguf"), files, shape);

  const { metadata, fullTensorInfo = [] } = await readGgufFileInfo(place("tiny.gguf"));
  expect(metadata).toMatchObject({
    general: { architecture: "bert" },
    bert: {
      block_count: 1,
      context_length: 2,
      embedding_length: 4,
      feed_forward_length: 6,
      attention: { head_count: 2, causal: false, layer_norm_epsilon: Math.fround(1e-12) },
      pooling_type: 1,
    },
    tokenizer: {
      ggml: {
        model: "bert",
        tokens: ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "\u2581boat", "s", "[unused0]"],
        token_type: [3, 3, 3, 3, 3, 1, 1, 1],
        token_type_count: 2,
        bos_token_id: 2,
        cls_token_id: 2,
        seperator_token_id: 3,
        padding_token_id: 0,
        unknown_token_id: 1,
        mask_token_id: 4,
      },
    },
  });
  const names = {
    "token_embd.weight": "embeddings.word_embeddings.weight",
    "position_embd.weight": "embeddings.position_embeddings.weight",
    "token_types.weight": "embeddings.token_type_embeddings.weight",
    "token_embd_norm.bias": "embeddings.LayerNorm.bias",
    "blk.0.attn_k.bias": `${layer}.attention.self.key.bias`,
    "blk.0.attn_output_norm.weight": `${layer}.attention.output.LayerNorm.weight`,
    "blk.0.ffn_up.weight": `${layer}.intermediate.dense.weight`,
    "blk.0.ffn_down.weight": `${layer}.output.dense.weight`,
    "blk.0.layer_output_norm.bias": `${layer}.output.LayerNorm.bias`,
  };
  expect(fullTensorInfo.map(({ name }) => name).toSorted()).toEqual(Object.keys(names).toSorted());
  const bytes = await readFile(place("tiny.gguf"));
  for (const { name, dimensions, fileOffset } of fullTensorInfo) {
    const theirs = names[name as keyof typeof names];
    const sizes = weights[theirs]!.with(
      0,
      name === "position_embd.weight" ? 2 : weights[theirs]![0]!,
    );
    expect(dimensions.map(Number)).toEqual(sizes.toReversed());
    const count = sizes.reduce((product, size) => product * size, 1);
    const read = Array.from({ length: count }, (_, at) =>
      bytes.readFloatLE(Number(fileOffset) + 4 * at),
    );
    expect(read).toEqual(numbers[theirs]!.slice(0, count));
  }
});

/** Returns the numbers of each tensor. */
async function writeSafetensors(path: string): Promise<Readonly<Record<string, number[]>>> {
  let [next, offset] = [0, 0];
  const header: Record<string, unknown> = { __metadata__: { format: "pt" } };
  const numbers: Record<string, number[]> = {};
  for (const [name, shape] of Object.entries(weights)) {
    const count = shape.reduce((product, size) => product * size, 1);
    numbers[name] = Array.from({ length: count }, () => (next += 0.25));
    header[name] = { dtype: "F32", shape, data_offsets: [offset, offset + 4 * count] };
    offset += 4 * count;
  }
  const json = Buffer.from(JSON.stringify(header));
  const start = Buffer.alloc(8);
  start.writeBigUInt64LE(BigInt(json.length));
  const data = Buffer.from(Float32Array.from(Object.values(numbers).flat()).buffer);
  await writeFile(path, Buffer.concat([start, json, data]));
  return numbers;
}
