import { useEffect, useState } from 'react';
import { formatAgo, formatDateTime, formatDuration } from './format.ts';

/** The current time, renewed every `everyMs`. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** How long ago; the full time on hover. */
export function Ago({ at }: { at: string }) {
  const now = useNow(15_000);
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      {formatAgo(at, now)}
    </time>
  );
}

/** Time since `from`, which goes on. */
export function Elapsed({ from }: { from: string }) {
  const now = useNow(1000);
  return <>{formatDuration(now - new Date(from).getTime())}</>;
}
