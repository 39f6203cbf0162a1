import { useEffect, useRef, useState } from "preact/hooks";
import type { RunProgress, StudioEvent } from "../../../../../src/report-page/index.ts";

/** What the studio tells by itself: the progress of running searches, by run. */
export function useLive(onEvent: (event: StudioEvent) => void): ReadonlyMap<string, RunProgress> {
  const [progress, setProgress] = useState<ReadonlyMap<string, RunProgress>>(new Map());
  const listener = useRef(onEvent);
  listener.current = onEvent;
  useEffect(() => {
    const events = new EventSource("/api/live");
    let wasLost = false;
    events.addEventListener("message", ({ data }) => {
      const event = JSON.parse(String(data)) as StudioEvent;
      if (event.kind === "progress") {
        setProgress((before) => new Map([...before, [event.run, event.progress]]));
      }
      listener.current(event);
    });
    // What happened while the stream was away is not told again.
    events.addEventListener("error", () => {
      wasLost = true;
    });
    events.addEventListener("open", () => {
      if (wasLost) listener.current({ kind: "listing", isFirst: false });
      wasLost = false;
    });
    return () => events.close();
  }, []);
  return progress;
}
