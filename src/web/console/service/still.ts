import { useQuery } from '@tanstack/react-query';
import { pictureAt } from './service.ts';

/** The service takes at most one in four seconds. */
const EVERY_MS = 5_000;
/** After a refusal: the worker takes no stills, or the session is over. */
const LATER_MS = 30_000;

/**
 * Returns the URL of a picture of the live session; null while there is none. Requests pictures
 * only while it `isOn` and the page is visible, and forgets them afterwards.
 */
export function useStill(sessionId: string, isOn: boolean): string | null {
  const { data, error } = useQuery({
    // Not below the session: its events would read the picture again.
    queryKey: ['stills', sessionId],
    queryFn: () => pictureAt(`/v1/sessions/${sessionId}/still`),
    enabled: isOn,
    refetchInterval: ({ state }) => (state.error ? LATER_MS : EVERY_MS),
    retry: false,
    gcTime: 0,
  });
  return isOn && !error && data !== undefined ? data : null;
}
