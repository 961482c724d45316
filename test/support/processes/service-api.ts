import { until } from '../until.ts';

/** `body` is sent as JSON. */
type ApiCall = { method?: string; body?: unknown; headers?: Record<string, string> };

/** The API of a running service, for one account. */
export type ServiceApi = {
  /** Calls the API with the account's key. */
  api(pathname: string, init?: ApiCall): Promise<Response>;
  /** Creates an API resource and returns it. */
  make<Made = { id: string }>(pathname: string, body: object): Promise<Made>;
  /** Ends every session. A call whose user left would run for another minute. */
  endSessions(): Promise<void>;
  /** Resolves when a new session would get a slot at once. Published clients do not wait. */
  hasFreeSlot(): Promise<void>;
};

export function serviceApi(address: string, apiKey: string): ServiceApi {
  const api: ServiceApi['api'] = (pathname, { method = 'GET', body, headers } = {}) =>
    fetch(new URL(pathname, address), {
      method,
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  return {
    api,
    async make<Made>(pathname: string, body: object): Promise<Made> {
      let answer = await api(pathname, { method: 'POST', body });
      const isMade = async () => {
        if (answer.status === 503) answer = await api(pathname, { method: 'POST', body });
        return answer.status !== 503;
      };
      await until(isMade);
      if (!answer.ok)
        throw new Error(`${pathname} answered ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as Made;
    },
    async endSessions() {
      const going = await api('/v1/sessions?status=ongoing&limit=50');
      const { data } = (await going.json()) as { data: { id: string }[] };
      for (const { id } of data) await api(`/v1/sessions/${id}/end`, { method: 'POST' });
    },
    hasFreeSlot: () => until(async () => (await fetch(new URL('/readyz', address))).ok),
  };
}
