import { END_REASONS } from '#protocol/end-reasons.ts';
import { SelectField, TextField } from '../parts/fields.tsx';
import type { Avatar } from '../../../clients/typescript/src/generated/models.ts';
import { texts } from '../texts/texts.ts';
import { STATUSES, type SessionFilter } from './filter.ts';

const t = texts.sessions;

type FilterBarProps = {
  filter: SessionFilter;
  avatars: Avatar[];
  change: (filter: SessionFilter) => void;
};

export function FilterBar({ filter, avatars, change }: FilterBarProps) {
  return (
    <form className="filter-bar" role="search" onSubmit={(event) => event.preventDefault()}>
      <fieldset className="segments">
        <legend className="unseen">{t.status}</legend>
        {STATUSES.map((status) => (
          <label key={status}>
            <input
              type="radio"
              name="status"
              checked={filter.status === status}
              onChange={() => change({ ...filter, status })}
            />
            <span>{t.filters[status]}</span>
          </label>
        ))}
      </fieldset>
      <TextField
        label={t.search}
        type="search"
        placeholder={t.searchHint}
        value={filter.idPrefix}
        maxLength={36}
        change={(idPrefix) => change({ ...filter, idPrefix })}
      />
      <SelectField
        label={t.avatar}
        value={filter.avatarId}
        choices={[
          { value: '', label: t.anyAvatar },
          ...avatars.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        change={(avatarId) => change({ ...filter, avatarId })}
      />
      <SelectField
        label={t.reason}
        value={filter.reason}
        choices={[
          { value: '', label: t.anyReason },
          ...END_REASONS.map((value) => ({ value, label: value })),
        ]}
        change={(reason) => change({ ...filter, reason })}
      />
    </form>
  );
}
