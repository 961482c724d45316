import './conversations.css';
import { RATINGS } from '#protocol/call-ratings.ts';
import { useRef, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { SelectField, TextField } from '../parts/fields.tsx';
import { useInSight } from '../parts/in-sight.ts';
import { Page } from '../parts/page.tsx';
import { Empty, Loading, Problem } from '../parts/states.tsx';
import { More, Table } from '../parts/table.tsx';
import { Ago } from '../parts/time.tsx';
import { useMay } from '../service/me.ts';
import { useAll, useList } from '../service/queries.ts';
import type { Agent, Call } from '../../../clients/typescript/src/generated/models.ts';
import { texts } from '../texts/texts.ts';
import { CallLength } from './call-length.tsx';
import { RatingBadge } from './rating-badge.tsx';
import { firstLineOf, hasWords } from './transcript-text.ts';
import { useTranscript, useTranscripts } from './use-transcript.ts';

const t = texts.conversations;

const SLOWLY_MS = 30_000;

/** The same names as in the API, also in the address of the page. */
const filterOf = (agentId: string, rating: string): URLSearchParams =>
  new URLSearchParams({ ...(agentId && { agent_id: agentId }), ...(rating && { rating }) });

/** Calls with managed agents, and their transcripts. */
export function ConversationsPage() {
  const [query, setQuery] = useSearchParams();
  const agentId = query.get('agent_id') ?? '';
  const rating = RATINGS.find((each) => each === query.get('rating')) ?? '';
  const agents = useAll<Agent>(useMay('agents:read') ? '/v1/agents' : null).data?.data ?? [];
  const isFiltered = agentId !== '' || rating !== '';
  const filter = filterOf(agentId, rating);
  const list = useList<Call>(`/v1/calls${isFiltered ? `?${filter}` : ''}`, { everyMs: SLOWLY_MS });
  const calls = list.items ?? [];
  const [words, setWords] = useState('');
  const isSearching = words.trim() !== '';
  const transcripts = useTranscripts(calls, isSearching);
  const found = isSearching
    ? calls.filter((each, index) => hasWords(each, transcripts[index]?.data, words))
    : calls;
  const unread = transcripts.filter(({ isPending }) => isPending).length;

  return (
    <Page title={t.title} lede={t.lede}>
      <form className="conversation-bar" role="search" onSubmit={(event) => event.preventDefault()}>
        <SelectField
          label={t.agent}
          value={agentId}
          choices={[
            { value: '', label: t.anyAgent },
            ...agents.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          change={(id) => setQuery(filterOf(id, rating), { replace: true })}
        />
        <SelectField
          label={t.rating}
          value={rating}
          choices={[
            { value: '', label: t.anyRating },
            ...RATINGS.map((each) => ({ value: each, label: t.ratings[each] })),
          ]}
          change={(value) => setQuery(filterOf(agentId, value), { replace: true })}
        />
        <TextField
          label={t.search}
          type="search"
          hint={t.searchHint(calls.length, list.hasNextPage)}
          value={words}
          change={setWords}
        />
      </form>
      {list.error && !list.items && (
        <Problem error={list.error} again={() => void list.refetch()} />
      )}
      {!list.items && !list.error && <Loading lines={6} />}
      {isSearching && (
        <p className="soft list-count" role="status">
          {unread > 0 ? t.reading(unread) : t.found(found.length)}
        </p>
      )}
      {list.items && !isSearching && calls.length === 0 && (
        <Empty
          title={isFiltered ? t.noneFound : t.none}
          text={isFiltered ? t.noneFoundText : t.noneText}
        />
      )}
      {found.length > 0 && (
        <Table label={t.title} columns={Object.values(t.columns)}>
          {found.map((each) => (
            <Row
              key={each.id}
              call={each}
              agent={agents.find(({ id }) => id === each.agent_id)?.name ?? t.goneAgent}
            />
          ))}
        </Table>
      )}
      <More
        hasMore={list.hasNextPage}
        isLoading={list.isFetchingNextPage}
        load={() => void list.fetchNextPage()}
      />
    </Page>
  );
}

function Row({ call, agent }: { call: Call; agent: string }) {
  const { id, user_name, evaluation, started_at } = call;
  const row = useRef<HTMLTableRowElement>(null);
  const transcript = useTranscript(call, useInSight(row));
  const firstLine = transcript.data && (firstLineOf(transcript.data) ?? t.nothingSaid);
  return (
    <tr ref={row}>
      <th scope="row">
        <Link href={`/conversations/${id}`}>{user_name || t.visitor}</Link>
        <span className="soft below">
          <Ago at={started_at} />
        </span>
      </th>
      <td data-label={t.columns.agent}>{agent}</td>
      <td data-label={t.columns.firstLine}>
        <span className="first-line">{firstLine}</span>
      </td>
      <td data-label={t.columns.topic} className="soft">
        {evaluation?.topic}
      </td>
      <td data-label={t.columns.rating}>
        <RatingBadge call={call} />
      </td>
      <td data-label={t.columns.length} className="nowrap">
        <CallLength call={call} />
      </td>
    </tr>
  );
}
