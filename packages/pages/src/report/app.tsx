import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ComparisonIndex } from "./data/comparison-index.ts";
import { addressOf, useRoute } from "./data/route.ts";
import type { ViewProps } from "./data/view-props.ts";
import { Pictures } from "./parts/pictures.tsx";
import { Candidate } from "./views/candidate/candidate.tsx";
import { Candidates } from "./views/candidate/candidates.tsx";
import { Flips } from "./views/flips.tsx";
import { Overview } from "./views/overview/overview.tsx";
import { Prompts } from "./views/prompts.tsx";
import { Search } from "./views/search/search.tsx";
import { TradeOffs } from "./views/trade-offs.tsx";

interface View {
  readonly title: string;
  readonly show: (props: ViewProps) => JSX.Element;
  /** Views that only a link leads to are not in the menu. */
  readonly isInMenu: boolean;
}

const overview: View = { title: "Overview", show: Overview, isInMenu: true };

const views: Readonly<Record<string, View>> = {
  overview,
  search: { title: "Search", show: Search, isInMenu: true },
  "trade-offs": { title: "Trade-offs", show: TradeOffs, isInMenu: true },
  candidates: { title: "Candidates", show: Candidates, isInMenu: true },
  flips: { title: "Flips", show: Flips, isInMenu: true },
  candidate: { title: "Candidate", show: Candidate, isInMenu: false },
  prompts: { title: "Prompts", show: Prompts, isInMenu: false },
};

/** The whole page: what the address names, below a menu of the views. */
export function App({
  index,
  banner,
}: {
  readonly index: ComparisonIndex;
  /** Stands above the menu. @default nothing */
  readonly banner?: ComponentChildren;
}): JSX.Element {
  const route = useRoute();
  const main = useRef<HTMLElement>(null);
  const wasShown = useRef(route.view);
  const view = (Object.hasOwn(views, route.view) ? views[route.view] : undefined) ?? overview;
  useEffect(() => {
    document.title = `${view.title} – comparison of runs`;
    // What follows a link is read out from its heading.
    if (wasShown.current !== route.view) {
      main.current?.querySelector("h1")?.focus();
      scrollTo(0, 0);
    }
    wasShown.current = route.view;
  }, [route.view, view.title]);
  const Shown = view.show;
  return (
    <>
      <header>
        <button type="button" class="skip" onClick={() => main.current?.focus()}>
          Skip the menu
        </button>
        {banner}
        <nav aria-label="Views">
          {Object.entries(views).map(
            ([name, { title, isInMenu }]) =>
              isInMenu && (
                <a
                  key={name}
                  href={addressOf(name)}
                  aria-current={views[name] === view ? "page" : undefined}
                >
                  {title}
                </a>
              ),
          )}
        </nav>
      </header>
      <main ref={main} tabIndex={-1}>
        <Pictures.Provider value={index.comparison.images ?? {}}>
          <Shown index={index} route={route} />
        </Pictures.Provider>
      </main>
    </>
  );
}
