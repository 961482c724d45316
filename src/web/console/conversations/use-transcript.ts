import { useQueries, useQuery } from '@tanstack/react-query';
import type { Call, CallMessages } from '../../../clients/typescript/src/generated/models.ts';
import { call } from '../service/service.ts';

const LIVE_MS = 5_000;

/** Not below the calls: an event of one session would read all transcripts again. */
const transcriptOf = ({ id, ended_at }: Call, isOn: boolean) => ({
  queryKey: ['transcripts', id],
  queryFn: () => call<CallMessages>('GET', `/v1/calls/${id}/messages`),
  enabled: isOn,
  staleTime: ended_at === null ? LIVE_MS : Number.POSITIVE_INFINITY,
});

export const useTranscript = (of: Call, isOn: boolean) => useQuery(transcriptOf(of, isOn));

/** In the order of the calls. */
export const useTranscripts = (calls: Call[], isOn: boolean) =>
  useQueries({ queries: calls.map((each) => transcriptOf(each, isOn)) });
