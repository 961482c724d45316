import { Badge } from '../parts/badge.tsx';
import { Table } from '../parts/table.tsx';
import { playground as t } from '../texts/playground.ts';
import type { Seat } from './seats.ts';

export function Participants({ seats }: { seats: Seat[] }) {
  const { identity, role, publishes, attributes } = t.columns;
  return (
    <Table label={t.participants} columns={[identity, role, publishes, attributes]}>
      {seats.map((seat) => (
        <tr key={seat.identity}>
          <th scope="row" className="playground-identity">
            {seat.identity}
          </th>
          <td data-label={role}>
            <Badge tone={seat.role === 'avatar' || seat.role === 'agent' ? 'good' : 'quiet'}>
              {t.roles[seat.role]}
            </Badge>
          </td>
          <td data-label={publishes}>{publishedBy(seat)}</td>
          <td data-label={attributes}>
            <Attributes attributes={seat.attributes} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Attributes({ attributes }: Pick<Seat, 'attributes'>) {
  const set = Object.entries(attributes).filter(([, value]) => value !== '');
  if (set.length === 0) return t.publishes.none;
  return (
    <ul className="playground-attributes">
      {set.map(([name, value]) => (
        <li key={name}>
          <code>{`${name}: ${value}`}</code>
        </li>
      ))}
    </ul>
  );
}

function publishedBy({ hasVideo, hasAudio }: Seat): string {
  const kinds = [
    ...(hasVideo ? [t.publishes.video] : []),
    ...(hasAudio ? [t.publishes.audio] : []),
  ];
  return kinds.join(', ') || t.publishes.none;
}
