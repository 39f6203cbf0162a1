import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Listing } from "../../../../../src/report-page/index.ts";
import { Artifacts, Registries, Results } from "./artifacts.tsx";
import { Runs } from "./runs.tsx";
import { Servers } from "./servers.tsx";
import { CompareTicked } from "./ticks.tsx";
import { useAnswer } from "./use-answer.ts";
import { useLive } from "./use-live.ts";

/** The studio's first page: all that lies below its folder. */
export function Shelf(): JSX.Element {
  const { answer, problem, again } = useAnswer<Listing>("/api/listing", ({ isPartial }) =>
    isPartial ? null : 0,
  );
  const progress = useLive(({ kind }) => {
    if (kind === "listing") again();
  });
  const [ids, setIds] = useState<readonly string[]>([]);
  const ticks = {
    ids,
    toggle: (id: string) =>
      setIds(ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id]),
  };
  useEffect(() => {
    document.title = "Studio";
  }, []);
  return (
    <main>
      <h1 tabIndex={-1}>{answer === undefined ? "Studio" : `Studio: ${answer.folder}`}</h1>
      {problem !== undefined && (
        <p class="warning" role="alert">
          {problem}
        </p>
      )}
      {answer === undefined ? (
        <p>Loading …</p>
      ) : (
        <>
          {answer.leftOut !== null && <p class="warning">{answer.leftOut}</p>}
          {hasRehearsal(answer) && (
            <aside class="notes" aria-label="Notes">
              <p>
                Figures marked “rehearsal” come from the rehearsal LM and say nothing about a real
                model.
              </p>
            </aside>
          )}
          <CompareTicked ids={ids} />
          <Runs
            runs={answer.runs}
            progress={progress}
            ticks={ticks}
            productionOf={(program) => productionIn(answer, program)}
            onStopped={again}
          />
          <Registries registries={answer.registries} ticks={ticks} />
          <Artifacts
            artifacts={answer.artifacts}
            ticks={ticks}
            productionOf={(program) => productionIn(answer, program)}
          />
          <Results results={answer.results} ticks={ticks} />
          <Servers servers={answer.servers} />
        </>
      )}
    </main>
  );
}

function hasRehearsal({ runs, results, artifacts, registries }: Listing): boolean {
  const versions = registries.flatMap(({ programs }) => programs.flatMap((one) => one.versions));
  return [...runs, ...results, ...artifacts, ...versions].some(
    ({ figures }) => figures?.isRehearsal === true,
  );
}

/** What of a program is in production, in the first registry that says so. */
function productionIn({ registries }: Listing, program: string | undefined): string | undefined {
  return registries
    .flatMap(({ programs }) => programs)
    .filter(({ name }) => name === program)
    .flatMap(({ versions }) => versions)
    .find(({ aliases }) => aliases.includes("production"))?.id;
}
