/**
 * `page` with the text between the marks `<!-- NAME: ... -->` and `<!-- /NAME -->` replaced by
 * `content`.
 */
export function withBlock(page: string, name: string, content: string): string {
  const mark = page.indexOf(`<!-- ${name}: `);
  const from = page.indexOf("-->", mark) + "-->".length;
  const to = page.indexOf(`<!-- /${name} -->`);
  if (mark < 0 || to < from) throw new Error(`The page has no marks for "${name}".`);
  return `${page.slice(0, from)}\n\n${content}\n\n${page.slice(to)}`;
}
