import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Passage } from "espalier";

/**
 * Reads every .md and .txt file below a folder as passages: paragraphs, joined up to `most`
 * characters. A passage's id is its file and its place there, its title the heading above it.
 */
export async function readDocuments(folder: string, { most = 600 } = {}): Promise<Passage[]> {
  const entries = await readdir(folder, { recursive: true });
  const files = entries.filter((name) => /\.(md|txt)$/.test(name)).toSorted();
  const read = files.map(async (name) => ({
    name: name.replaceAll("\\", "/"),
    text: await readFile(join(folder, name), "utf8"),
  }));
  return (await Promise.all(read)).flatMap(({ name, text }) => passagesOf(name, text, most));
}

function passagesOf(name: string, text: string, most: number): Passage[] {
  const found: { title: string; text: string }[] = [];
  let title = name;
  for (const paragraph of text.split(/\n\s*\n/).map((held) => held.trim())) {
    const heading = /^#+ +(.*)$/.exec(paragraph)?.[1];
    if (heading !== undefined) title = heading;
    if (heading !== undefined || paragraph === "") continue;
    const last = found.at(-1);
    const isJoined = last?.title === title && last.text.length + paragraph.length < most;
    if (isJoined) last.text += `\n\n${paragraph}`;
    else found.push({ title, text: paragraph });
  }
  return found.map((passage, index) => ({ id: `${name}#${index + 1}`, ...passage }));
}
