import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { Records } from '../records/open-records.ts';
import type { Outbox } from '../records/webhooks/outbox.ts';
import { createAvatars } from './avatars.ts';
import { Builds } from './builds.ts';
import { builtInAvatars, type BuiltInAvatars } from './built-in-avatars.ts';
import { Enrolments } from './enrolment.ts';

type AvatarsOptions = {
  records: Pick<Records, 'avatars' | 'avatarBuilds' | 'blobs'>;
  outbox: Outbox;
  builtIn: BuiltInAvatars | undefined;
  clock: Clock;
  log: Log;
};

export function openAvatars({ records, outbox, builtIn, clock, log }: AvatarsOptions) {
  const { avatars, avatarBuilds, blobs } = records;
  const builds = new Builds({ records: avatarBuilds, blobs, outbox, clock, log });
  return {
    avatars: createAvatars({ builtIn: builtIn ?? builtInAvatars(), records: avatars, blobs }),
    builds,
    enrolments: new Enrolments({
      records: { ...avatars, ...avatarBuilds },
      blobs,
      clock,
      onQueued: () => builds.wake(),
    }),
    start: () => builds.start(),
    close: () => builds.close(),
  };
}
