import { afterAll, beforeAll, describe } from "vitest";
import { embedder } from "../../../src/lm/index.ts";
import type { PostgresIndexOptions, PostgresRetrieverOptions } from "../src/index.ts";
import { postgresIndex } from "../src/index.ts";
import { serveRehearsal } from "@espalier/rehearsal";
import type { PostgresPrograms } from "./support/postgres-programs.ts";
import { plainPostgres, vectorPostgres } from "./support/postgres-programs.ts";
import type { PostgresServer } from "./support/postgres-server.ts";
import { postgresServer } from "./support/postgres-server.ts";
import type { RetrieverSubject } from "../../../test/retrieval/retriever.contract.ts";
import { retrieverContract } from "../../../test/retrieval/retriever.contract.ts";
import { shelf } from "../../../test/retrieval/shelf.ts";

const plain = await plainPostgres();
const withVectors = await vectorPostgres();
const alwaysNear = "to a vector, some passage is always nearest";

/** One server for a group of rows; each subject has a schema of its own. */
function onServer(
  name: string,
  programs: PostgresPrograms,
  rows: (
    open: (given: {
      readonly by?: PostgresRetrieverOptions["by"];
      readonly isReopened?: boolean;
      readonly options?: Partial<PostgresIndexOptions>;
    }) => Promise<RetrieverSubject>,
  ) => void,
): void {
  describe.skipIf(programs.isAbsent)(`${name}${programs.note}`, () => {
    let server: PostgresServer;
    let schemas = 0;
    beforeAll(async () => {
      server = await postgresServer(programs.folder);
    });
    afterAll(() => server[Symbol.asyncDispose]());
    rows(async ({ by = "keyword", isReopened = false, options = {} }) => {
      const stack = new AsyncDisposableStack();
      const schema = `shelf ${schemas++}`;
      const place = { url: server.url, schema, ...options };
      if (by !== "keyword") {
        const models = stack.use(await serveRehearsal());
        const model = embedder({ baseUrl: `${models.url}/v1`, model: "rehearsal" });
        Object.assign(place, { embedder: model });
      }
      if (isReopened)
        await (await postgresIndex({ ...place, corpus: shelf }))[Symbol.asyncDispose]();
      const index = stack.use(
        await postgresIndex(isReopened ? place : { ...place, corpus: shelf }),
      );
      return {
        retriever: index.retriever({ by }),
        [Symbol.asyncDispose]: () => stack.disposeAsync(),
      };
    });
  });
}

onServer("PostgreSQL without pgvector", plain, (open) => {
  retrieverContract("a keyword index in PostgreSQL", () => open({}));
  retrieverContract("a keyword index in PostgreSQL, opened again without its corpus", () =>
    open({ isReopened: true }),
  );
});

onServer("PostgreSQL with pgvector", withVectors, (open) => {
  retrieverContract("a dense index in PostgreSQL", () => open({ by: "dense" }), {
    unknownWords: alwaysNear,
  });
  retrieverContract(
    "an exact dense index in PostgreSQL",
    () => open({ by: "dense", options: { neighbours: "exact", similarity: "inner-product" } }),
    { unknownWords: alwaysNear },
  );
  retrieverContract(
    "a hybrid index in PostgreSQL, opened again without its corpus",
    () => open({ by: "hybrid", isReopened: true }),
    { unknownWords: alwaysNear },
  );
});
