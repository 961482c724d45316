/* An event stream that goes on after errors, while people see the page. */

/** After an answer that is no stream, such as that of a proxy, the browser itself gives up. */
export const REOPEN_MS = 5_000;

/**
 * `listen` gets each connection as it is opened. In a hidden tab there is none: browsers open few
 * connections to one service, for all tabs together. Returns a function that ends it.
 */
export function follow(path: string, listen: (source: EventSource) => void): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const close = () => {
    clearTimeout(timer);
    source?.close();
    source = null;
  };
  const open = () => {
    close();
    const opened = new EventSource(path);
    source = opened;
    opened.addEventListener('error', () => {
      if (opened.readyState === EventSource.CLOSED) timer = setTimeout(open, REOPEN_MS);
    });
    listen(opened);
  };
  const turn = () => (document.hidden ? close() : open());
  document.addEventListener('visibilitychange', turn);
  turn();
  return () => {
    document.removeEventListener('visibilitychange', turn);
    close();
  };
}
