import { h, render } from "preact";
import { App } from "./app.tsx";
import { comparisonIndex } from "./data/comparison-index.ts";
import { showHiddenCharacters } from "./data/hidden-characters.ts";
import { readComparison } from "./data/read-comparison.ts";

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
