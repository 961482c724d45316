import { readFile } from 'node:fs/promises';
import path from 'node:path';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import type { CostChange, PodCost } from './deletion-costs.ts';

const ANNOTATION = 'controller.kubernetes.io/pod-deletion-cost';

const PodList = Compile(
  Type.Object({
    items: Type.Array(
      Type.Object({
        metadata: Type.Object({
          name: Type.String(),
          annotations: Type.Optional(Type.Record(Type.String(), Type.String())),
        }),
      }),
    ),
  }),
);

export interface Pods {
  list(signal: AbortSignal): Promise<PodCost[]>;
  setCost(change: CostChange, signal: AbortSignal): Promise<void>;
}

type PodsOptions = {
  /** The API server's address. */
  url: string;
  serviceAccountDir: string;
  selector: string;
};

type PodRequest = {
  method?: 'PATCH';
  headers: Record<string, string>;
  body?: string;
  signal: AbortSignal;
};

/** The pods of the service account's namespace that `selector` matches. */
export function kubernetesPods({ url, serviceAccountDir, selector }: PodsOptions): Pods {
  const read = async (name: string) =>
    (await readFile(path.join(serviceAccountDir, name), 'utf8')).trim();

  const request = async (below: string, init: PodRequest) => {
    // Read each time: the kubelet replaces the token before it expires.
    const [namespace, token] = await Promise.all([read('namespace'), read('token')]);
    const address = new URL(`/api/v1/namespaces/${namespace}/pods${below}`, url);
    const headers = { ...init.headers, authorization: `Bearer ${token}` };
    const response = await fetch(address, { ...init, headers, redirect: 'error' });
    const text = await response.text();
    if (response.ok) return JSON.parse(text) as unknown;
    // A pod that was listed may be gone.
    if (response.status === 404) return null;
    throw new Error(`Kubernetes answered ${response.status}: ${text.slice(0, 500)}`);
  };

  return {
    async list(signal) {
      // From the API server's cache, and without what the pods consist of.
      const query = new URLSearchParams({ labelSelector: selector, resourceVersion: '0' });
      const accept = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
      const answer = await request(`?${query}`, { headers: { accept }, signal });
      if (!PodList.Check(answer)) throw new Error('Kubernetes sent no list of pods');
      return answer.items.map(({ metadata: { name, annotations } }) => {
        const cost = annotations?.[ANNOTATION];
        return { pod: name, cost: cost === undefined ? null : Number(cost) };
      });
    },

    async setCost({ pod, cost }, signal) {
      await request(`/${pod}`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/merge-patch+json' },
        body: JSON.stringify({ metadata: { annotations: { [ANNOTATION]: `${cost}` } } }),
        signal,
      });
    },
  };
}
