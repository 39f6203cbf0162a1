import { h, render } from "preact";
import { showHiddenCharacters } from "./data/hidden-characters.ts";
import { StudioReport } from "./studio-report.tsx";
import { Shelf } from "./studio/shelf.tsx";

const page = document.querySelector("#page");
if (page === null) throw new Error("The page has no place for the studio.");
showHiddenCharacters();
const given = new URLSearchParams(location.search);
page.textContent = "";
render(location.pathname === "/report" ? h(StudioReport, { given }) : h(Shelf, {}), page);
