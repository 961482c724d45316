import Type from 'typebox';
import { Compile } from 'typebox/compile';
import type { WorkerLoad } from './deletion-costs.ts';

const WorkerList = Compile(
  Type.Object({
    data: Type.Array(
      Type.Object({
        host: Type.Union([Type.String(), Type.Null()]),
        taken: Type.Integer({ minimum: 0 }),
      }),
    ),
  }),
);

/** The connected workers, by the control plane's API. */
export async function fleetLoads(
  { url, key }: { url: string; key: string },
  signal: AbortSignal,
): Promise<WorkerLoad[]> {
  const headers = { 'x-api-key': key };
  const response = await fetch(new URL('/v1/fleet/workers', url), { headers, signal });
  if (!response.ok) throw new Error(`the control plane answered ${response.status}`);
  const answer: unknown = await response.json();
  if (!WorkerList.Check(answer)) throw new Error('the control plane sent no list of workers');
  return answer.data;
}
