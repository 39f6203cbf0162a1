/**
 * Fields of the message of `every-kind`, read by its tags and lines alone; throws for anything
 * else.
 */
export function parseMessage(message: string, plain: (text: string) => string): object {
  const reader = messageReader(message);
  const block = (name: string): string => plain(reader.until(`\n</${name}>`));
  const value = (): string => (reader.skips("<text>\n") ? block("text") : plain(reader.upTo("\n")));
  const field = <TRead>(title: string, read: () => TRead, empty: TRead): TRead => {
    reader.expects(`${title}: `);
    const found = reader.skips("(empty)\n\n") ? undefined : read();
    if (found !== undefined) reader.expects(reader.isLast("\n") ? "\n" : "\n\n");
    return found ?? empty;
  };
  /** As many as there are, on lines of their own. */
  const all = <TRead>(opening: string, read: () => TRead): readonly TRead[] => {
    const found = [read()];
    while (reader.skips(`\n${opening}`, false)) {
      reader.expects("\n");
      found.push(read());
    }
    return found;
  };
  return {
    question: field("Question", value, ""),
    history: field(
      "History",
      () =>
        all("<turn ", () => {
          reader.expects('<turn speaker="');
          const speaker = reader.until('">');
          const isBlock = reader.skips("\n");
          return { speaker, text: isBlock ? block("turn") : plain(reader.until("</turn>")) };
        }),
      [],
    ),
    passages: field(
      "Passages",
      () =>
        all("<passage ", () => {
          reader.expects('<passage number="');
          const number = Number(reader.until('"'));
          const title = reader.skips(' title="') ? reader.until('"') : "";
          reader.expects(">\n");
          return { number, title: plain(title.replaceAll("&quot;", '"')), text: block("passage") };
        }),
      [],
    ),
    queries: field("Queries", () => items(reader, value), []),
    details: field("Details", () => JSON.parse(reader.upTo("\n")) as unknown, []),
    notes: field("Notes", value, ""),
    limit: field("Limit", () => Number(reader.upTo("\n")), 0),
  };
}

type Reader = ReturnType<typeof messageReader>;

function items(reader: Reader, value: () => string): readonly string[] {
  const found: string[] = [];
  while (reader.skips(`${found.length === 0 ? "" : "\n"}${found.length + 1}. `)) {
    found.push(value());
  }
  return found;
}

function messageReader(message: string) {
  let at = 0;
  const fail = (expected: string): never => {
    throw new Error(`Expected ${JSON.stringify(expected)} at ${JSON.stringify(message.slice(at))}`);
  };
  const upTo = (mark: string): string => {
    const end = message.indexOf(mark, at);
    if (end < 0) fail(mark);
    const found = message.slice(at, end);
    at = end;
    return found;
  };
  const skips = (mark: string, consumes = true): boolean => {
    const isNext = message.startsWith(mark, at);
    if (isNext && consumes) at += mark.length;
    return isNext;
  };
  return {
    skips,
    upTo,
    /** And past it. */
    until: (mark: string): string => {
      const found = upTo(mark);
      at += mark.length;
      return found;
    },
    expects: (mark: string): void => {
      if (!skips(mark)) fail(mark);
    },
    isLast: (mark: string): boolean => message.slice(at) === mark,
  };
}
