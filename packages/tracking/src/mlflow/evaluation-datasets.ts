import type {
  Example,
  Json,
  JsonObject,
  SplitName,
  Trainset,
} from "../../../../src/contract/index.ts";
import { splitNames } from "../../../../src/contract/index.ts";
import { EspalierError } from "../../../../src/errors/index.ts";
import { contentHash, isObject, jsonOrUndefined, sha256 } from "../../../../src/internal/index.ts";
import { trainset } from "../../../../src/trainset/index.ts";
import type { TrackingServer } from "../server/tracking-server.ts";
import { textAt, valueAt } from "../tracked/value-at.ts";
import { experimentId, foundOrMade, required } from "./mlflow-runs.ts";

const root = "/api/3.0/mlflow/datasets";
const tag = {
  id: "espalier.id",
  split: "espalier.split",
  place: "espalier.place",
  cluster: "espalier.cluster",
  hash: "espalier.content-hash",
} as const;
const recordsTogether = 500;

/**
 * Sends the examples of a trainset as an evaluation dataset of the same name. Examples with equal
 * inputs take the place of the former.
 *
 * @returns the dataset's id
 * @throws EspalierError `tracking-failed`, `tracking-refused`
 */
export async function sendTrainset(
  server: TrackingServer,
  experiment: string,
  { name, splits, checksum }: Trainset,
): Promise<string> {
  const id = await foundOrMade({
    find: () => datasetId(server, name),
    make: async () => {
      const experimentIds = [await experimentId(server, experiment)];
      const tags = JSON.stringify({ "espalier.checksum": checksum });
      const body = { name, experiment_ids: experimentIds, tags };
      const made = await required(server, `${root}/create`, body, true);
      return textAt(made, "dataset", "dataset_id");
    },
  });
  const rows = splitNames.flatMap((split) =>
    splits[split].map((example, index) => recordOf(example, split, index)),
  );
  for (let start = 0; start < rows.length; start += recordsTogether) {
    const records = JSON.stringify(rows.slice(start, start + recordsTogether));
    await required(server, `${root}/${id}/records`, { records });
  }
  return id;
}

function recordOf(
  { id, cluster, input, labels }: Example,
  split: string,
  index: number,
): JsonObject {
  return {
    inputs: input as Json,
    expectations: labels as Json,
    tags: {
      [tag.id]: id,
      [tag.split]: split,
      [tag.place]: String(index),
      [tag.hash]: contentHash({ input, labels }),
      ...(cluster !== undefined && { [tag.cluster]: cluster }),
    },
  };
}

/**
 * An evaluation dataset as a trainset. Records that espalier sent keep their ids, clusters and
 * splits; others are divided by a hash of their ids: 40 % train, 40 % val, 20 % test.
 *
 * @throws EspalierError `tracking-conflict` if a record was overwritten, `dataset-invalid`,
 *   `tracking-failed`, `tracking-refused`
 */
export async function readTrainset(server: TrackingServer, name: string): Promise<Trainset> {
  const id = await datasetId(server, name);
  if (id === undefined) {
    throw new EspalierError({
      code: "dataset-invalid",
      problem: `The server has no dataset \`${name}\``,
      where: server.url,
      expected: "the name of an evaluation dataset",
    });
  }
  const rows: Row[] = [];
  for await (const record of recordsOf(server, id)) rows.push(rowOf(server, name, record));
  const inOrder = rows.toSorted(
    (a, b) => a.index - b.index || (a.example.id < b.example.id ? -1 : 1),
  );
  const of = (split: SplitName): readonly Example[] =>
    inOrder.filter((row) => row.split === split).map(({ example }) => example);
  return trainset({
    name,
    version: "mlflow",
    licence: "as of the server's dataset",
    source: `${server.url}, dataset ${id}`,
    splits: { train: of("train"), val: of("val"), test: of("test") },
  });
}

interface Row {
  readonly split: SplitName;
  readonly index: number;
  readonly example: Example;
}

function rowOf(server: TrackingServer, name: string, record: Json): Row {
  const tagged = (key: string): string => textAt(record, "tags", key);
  const [input, labels] = [valueAt(record, "inputs") ?? {}, valueAt(record, "expectations") ?? {}];
  const id = tagged(tag.id) || textAt(record, "dataset_record_id");
  const [hash, found] = [tagged(tag.hash), contentHash({ input, labels })];
  if (hash !== "" && hash !== found) {
    throw new EspalierError({
      code: "tracking-conflict",
      problem: `Record \`${id}\` of the dataset \`${name}\` was overwritten on the server`,
      where: server.url,
      expected: `inputs and expectations with the hash ${hash.slice(0, 12)}, as recorded in its tag \`${tag.hash}\``,
      got: `the hash ${found.slice(0, 12)}`,
      fix: "Send the trainset again, or remove that tag to accept the record as it is.",
    });
  }
  const cluster = tagged(tag.cluster);
  const split = splitNames.find((each) => each === tagged(tag.split)) ?? drawnSplit(cluster || id);
  const example = { id, input, labels, ...(cluster !== "" && { cluster }) };
  return { split, index: Number(tagged(tag.place) || 0), example };
}

function drawnSplit(id: string): SplitName {
  const share = parseInt(sha256(id).slice(0, 8), 16) / 2 ** 32;
  return share < 0.4 ? "train" : share < 0.8 ? "val" : "test";
}

async function datasetId(server: TrackingServer, name: string): Promise<string | undefined> {
  const found = await required(server, `${root}/search`, {
    filter_string: `name = '${name.replaceAll("'", "''")}'`,
    order_by: ["created_time ASC"],
    max_results: 1,
  });
  const [first] = Array.isArray(found["datasets"]) ? found["datasets"] : [];
  return first === undefined ? undefined : textAt(first, "dataset_id");
}

async function* recordsOf(server: TrackingServer, id: string): AsyncGenerator<Json> {
  for (let token = ""; ;) {
    const query = { max_results: "1000", ...(token !== "" && { page_token: token }) };
    const page = await server.ask({ method: "GET", path: `${root}/${id}/records`, query });
    const records = jsonOrUndefined(textAt(page, "records"));
    if (Array.isArray(records)) yield* records.filter((each) => isObject(each)) as Json[];
    token = textAt(page, "next_page_token");
    if (token === "") return;
  }
}
