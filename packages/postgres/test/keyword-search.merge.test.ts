import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Passage, RankedPassage } from "../../../src/index.ts";
import type { Bm25IndexOptions } from "../../../src/retrieval/index.ts";
import { bm25Index, englishStopWords } from "../../../src/retrieval/index.ts";
import { postgresIndex } from "../src/index.ts";
import { indexTables } from "../src/stored/index-tables.ts";
import { searchStatement } from "../src/search/search-sql.ts";
import { plainPostgres } from "./support/postgres-programs.ts";
import type { PostgresServer } from "./support/postgres-server.ts";
import { postgresServer } from "./support/postgres-server.ts";
import pg from "pg";

const programs = await plainPostgres();

const words = [
  "harbour",
  "harbours",
  "salt",
  "iron",
  "brick",
  "scale",
  "winter",
  "the",
  "São",
  "北港",
];
const text = (most: number) =>
  fc.array(fc.constantFrom(...words), { maxLength: most }).map((each) => each.join(" "));
const passages: fc.Arbitrary<readonly Passage[]> = fc
  .array(fc.record({ title: text(3), text: text(12) }), { minLength: 1, maxLength: 25 })
  .map((each) => each.map((given, index) => ({ id: `${index}`, ...given })));

/** Ids whose scores are above the last by more than rounding: of those beside it, some may lack. */
function idsByScore(found: readonly RankedPassage[]): readonly string[] {
  const last = found.at(-1)?.score ?? 0;
  return found
    .filter(({ score }) => score - last > 1e-9)
    .map(({ id }) => id)
    .toSorted();
}

describe.skipIf(programs.isAbsent)(`keyword search in PostgreSQL${programs.note}`, () => {
  let server: PostgresServer;
  let schemas = 0;
  beforeAll(async () => {
    server = await postgresServer(programs.folder);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const variants: readonly Bm25IndexOptions[] = [
    {},
    { countsRepeats: true },
    { stopWords: englishStopWords },
  ];
  it.each(variants)(
    "finds what the SQLite index finds, with the same scores: %j",
    async (options) => {
      const property = fc.asyncProperty(
        passages,
        fc.array(text(6), { minLength: 3, maxLength: 3 }),
        fc.integer({ min: 1, max: 30 }),
        async (corpus, queries, k) => {
          const schema = `law ${schemas++}`;
          await using here = await postgresIndex({ url: server.url, schema, corpus, ...options });
          await using there = await bm25Index({ corpus, ...options });
          for (const query of queries) {
            const found = await here.doRetrieve({ query, k }, {});
            const wanted = await there.doRetrieve({ query, k }, {});
            expect(found.map(({ score }) => score)).toEqual(
              wanted.map(({ score }) => expect.closeTo(score, 6) as number),
            );
            expect(idsByScore(found)).toEqual(idsByScore(wanted));
          }
        },
      );
      await fc.assert(property, { numRuns: 20 });
    },
  );

  it("finds the same whether it reads the rarest words first or all together", async () => {
    const client = new pg.Client(server.url);
    await client.connect();
    const property = fc.asyncProperty(
      passages,
      fc.subarray(["harbour", "salt", "iron", "brick", "winter"], { minLength: 1 }),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 12 }),
      async (corpus, stems, k, firstHolders) => {
        const schema = `law ${schemas++}`;
        await using index = await postgresIndex({ url: server.url, schema, corpus });
        const found = async (holders: number) => {
          const statement = searchStatement({
            tables: indexTables(schema),
            size: index.size,
            meanWords: 5,
            ranking: "keyword",
            vectors: undefined,
            isFiltered: false,
            k0: 60,
            weights: [1, 1],
            firstHolders: holders,
          });
          const times = stems.map(() => 1);
          const values = statement.values({ stems, times, depth: k, k, vector: "", filter: "" });
          return (await client.query(statement.sql, [...values])).rows;
        };
        expect(await found(firstHolders)).toEqual(await found(1_000_000));
      },
    );
    try {
      await fc.assert(property, { numRuns: 40 });
    } finally {
      await client.end();
    }
  });
});
