/* Reading and changing through the query cache. A path is the name of what it answers. */
import {
  QueryCache,
  QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { Refusal } from '../../api/answers.ts';
import { isLongList } from './long-lists.ts';
import { call } from './service.ts';

/** `/v1/sessions/ID/timeline` belongs to `/v1/sessions/ID` and to `/v1/sessions`. */
export const keyOf = (path: string): string[] => path.split(/[/?]/).filter(Boolean);

export function newQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      // The sign-in has expired or was ended elsewhere, so the app asks for a new one.
      onError: (error, { queryKey }) => {
        if (!(error instanceof Refusal) || error.status !== 401 || isOfConsole(queryKey)) return;
        void client.invalidateQueries({ queryKey: keyOf('/console/api/me') });
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // Asking again does not change a refusal.
        retry: (failures, error) => !(error instanceof Refusal) && failures < 2,
      },
    },
  });
  return client;
}

const isOfConsole = ([first]: readonly unknown[]): boolean => first === 'console';

/** Forgets what one person read, before another one signs in. */
export const forgetOthers = (client: QueryClient): void =>
  client.removeQueries({ predicate: ({ queryKey }) => !isOfConsole(queryKey) });

type ReadOptions<Answer> = {
  /** Reads again after this time; for what no event reports. */
  everyMs?: number | ((answer: Answer | undefined) => number | false);
};

type Reading<Answer> = {
  key: string[];
  read: () => Promise<Answer>;
  isOn: boolean;
  everyMs: ReadOptions<Answer>['everyMs'];
};

function useReading<Answer>({ key, read, isOn, everyMs }: Reading<Answer>) {
  const interval = typeof everyMs === 'function' ? everyMs : () => everyMs ?? false;
  return useQuery<Answer>({
    queryKey: key,
    queryFn: read,
    enabled: isOn,
    refetchInterval: ({ state }) => interval(state.data),
  });
}

/** `path`: null while it is not known yet. */
export const useRead = <Answer>(path: string | null, { everyMs }: ReadOptions<Answer> = {}) =>
  useReading<Answer>({
    key: keyOf(path ?? ''),
    read: () => call('GET', path ?? ''),
    isOn: path !== null,
    everyMs,
  });

type Listed<Item> = { data: Item[]; has_more: boolean; next_cursor?: string };

const withCursor = (path: string, cursor: string | null): string => {
  const query = `limit=50${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
  return `${path}${path.includes('?') ? '&' : '?'}${query}`;
};

/** A list, page by page. */
export function useList<Item>(path: string, { everyMs }: { everyMs?: number } = {}) {
  const query = useInfiniteQuery({
    queryKey: [...keyOf(path), 'list'],
    queryFn: ({ pageParam }) => call<Listed<Item>>('GET', withCursor(path, pageParam)),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? null,
    refetchInterval: ({ state }) => (isLongList(state.data) ? false : (everyMs ?? false)),
    refetchOnWindowFocus: ({ state }) => !isLongList(state.data),
    refetchOnReconnect: ({ state }) => !isLongList(state.data),
  });
  return { ...query, items: query.data?.pages.flatMap(({ data }) => data) };
}

/** The newest entries of a long list. */
export const useNewest = <Item>(path: string | null, everyMs: number) =>
  useRead<Listed<Item>>(path === null ? null : withCursor(path, null), { everyMs });

/** All entries of a list that people fill by hand, so it has few pages. */
export const useAll = <Item>(path: string | null, everyMs?: ReadOptions<All<Item>>['everyMs']) =>
  useReading<All<Item>>({
    key: [...keyOf(path ?? ''), 'all'],
    read: () => allOf<Item>(path ?? ''),
    isOn: path !== null,
    everyMs,
  });

type All<Item> = { data: Item[] };

async function allOf<Item>(path: string): Promise<All<Item>> {
  const data: Item[] = [];
  let cursor: string | null = null;
  do {
    const page: Listed<Item> = await call('GET', withCursor(path, cursor));
    data.push(...page.data);
    cursor = page.next_cursor ?? null;
  } while (cursor !== null);
  return { data };
}

/** `changes`: the paths that answer differently afterwards. */
export function useWrite<Given = void, Answer = unknown>(
  write: (argument: Given) => Promise<Answer>,
  changes: readonly string[],
) {
  const client = useQueryClient();
  return useMutation<Answer, Error, Given>({
    mutationFn: write,
    onSuccess: async () => {
      await Promise.all(changes.map((path) => client.invalidateQueries({ queryKey: keyOf(path) })));
    },
  });
}
