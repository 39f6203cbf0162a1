import { useEffect, useState } from "preact/hooks";
import type { Member } from "./comparison-index.ts";

/** What the address names: `#flips?baseline=a:0&other=a:7`. */
export interface Route {
  readonly view: string;
  readonly given: URLSearchParams;
}

export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const follow = (): void => setHash(location.hash);
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  const [view = "", given] = hash.slice(1).split(/\?(.*)/s);
  return { view: view || "overview", given: new URLSearchParams(given) };
}

type Given = Readonly<Record<string, string | undefined>>;

/** The address of a view; what is undefined or empty is left out. */
export function addressOf(view: string, given: Given = {}): string {
  const kept = Object.entries(given).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return kept.length === 0 ? `#${view}` : `#${view}?${new URLSearchParams(kept).toString()}`;
}

/** Changes part of the address in place, as a filter does: the way back skips it. */
export function amendAddress({ view, given }: Route, changed: Given): void {
  location.replace(addressOf(view, { ...Object.fromEntries(given), ...changed }));
}

/** Candidates in an address, as `a:0` or `a:3+b:5`; keys of sources hold neither `:` nor `+`. */
export function membersText(members: readonly Member[]): string {
  return members.map(({ source, candidate }) => `${source}:${candidate}`).join("+");
}

/** Reads what `membersText` wrote; what is not understood is left out. */
export function membersOf(text: string | null): readonly Member[] {
  return (text ?? "").split("+").flatMap((part) => {
    const [, source, candidate] = /^([^:]+):(\d+)$/.exec(part) ?? [];
    return source === undefined ? [] : [{ source, candidate: Number(candidate) }];
  });
}
