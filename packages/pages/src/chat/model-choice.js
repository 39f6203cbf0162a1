// @ts-check
import { byId, element } from "./element.js";

/**
 * Two lists: a program, and a version of it.
 *
 * @param {{ program: string, version: string, onChange?: () => void }} ids
 */
export function modelChoice({ program: programId, version: versionId, onChange = () => {} }) {
  const program = byId(programId, HTMLSelectElement);
  const version = byId(versionId, HTMLSelectElement);
  /** @type {readonly import("./server.js").Model[]} */
  let models = [];

  const offerVersions = () => {
    const kept = version.value;
    version.replaceChildren(...versionOptions(models, program.value));
    choose(version, kept);
  };
  program.addEventListener("change", () => {
    offerVersions();
    onChange();
  });

  return {
    /**
     * Keeps the choice if it is still served.
     *
     * @param {readonly import("./server.js").Model[]} served
     */
    offer: (served) => {
      models = served;
      const kept = program.value;
      const programs = models.filter(({ id }) => !id.includes("@"));
      program.replaceChildren(...programs.map(({ id }) => element("option", { value: id }, id)));
      choose(program, kept);
      offerVersions();
    },
    /**
     * Chooses a program, and preferably a version other than its default.
     *
     * @param {string} id
     */
    beginAt: (id) => {
      program.value = id;
      offerVersions();
      const served = models.find((model) => model.id === id)?.version;
      const others = [...version.options].filter(({ value }) => value !== served);
      version.value = (others[1] ?? others[0])?.value ?? "";
    },
    get program() {
      return program.value;
    },
    /** The chosen program as the server lists it. */
    get model() {
      return models.find(({ id }) => id === program.value);
    },
    /** The chosen model id: `ID`, or `ID@VERSION`. */
    get id() {
      return version.value === "" ? program.value : `${program.value}@${version.value}`;
    },
  };
}

/**
 * Each version once, with all its aliases, after an entry for the server's default.
 *
 * @param {readonly import("./server.js").Model[]} models
 * @param {string} program
 */
function versionOptions(models, program) {
  const bare = models.find(({ id }) => id === program);
  const named = models.filter(({ id }) => id.startsWith(`${program}@`));
  const versions = [...new Set(named.map(({ version }) => version))];
  return [
    element("option", { value: "" }, `default: ${bare?.version ?? "unknown"}`),
    ...versions.map((version) => {
      const aliases = named
        .filter((model) => model.version === version)
        .map(({ id }) => id.slice(program.length + 1))
        .filter((name) => name !== version);
      const label = aliases.length === 0 ? version : `${version}, ${aliases.join(", ")}`;
      return element("option", { value: version }, label);
    }),
  ];
}

/**
 * @param {HTMLSelectElement} list
 * @param {string} value falls back to the first of the list
 */
function choose(list, value) {
  list.value = value;
  if (list.selectedIndex === -1) list.selectedIndex = 0;
}
