import { h, render } from "preact";
import { App } from "./app.tsx";
import { comparisonIndex } from "./data/comparison-index.ts";
import { showHiddenCharacters } from "./data/hidden-characters.ts";
import type { RunComparison } from "../../../../src/report/index.ts";

const page = document.querySelector("#page");
const packed = document.querySelector("#comparison")?.textContent;
if (page === null || !packed) throw new Error("The page holds no comparison.");
showHiddenCharacters();
page.textContent = "Opening …";
const index = comparisonIndex(await readComparison(packed));
page.textContent = "";
render(h(App, { index }), page);
// For who measures how long the page takes to open.
performance.mark("first-view");

/** Unpacks what `reportPage` packed: base64 of a gzip stream of JSON. */
async function readComparison(packed: string): Promise<RunComparison> {
  const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return (await new Response(unpacked).json()) as RunComparison;
}
