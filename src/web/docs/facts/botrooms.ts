import { BOTROOM_CLOSE, type BotroomCloseName } from '#protocol/botroom/close-codes.ts';
import { CLIENT_RATES, HELD_SPEECH_MS, UNREAD_SOUND_MS } from '#protocol/botroom/limits.ts';
import { MAX_RECORD_BYTES } from '#protocol/botroom/records.ts';
import { records } from './botroom-records.ts';
import { amount, code, table } from './tables.ts';

export const botroomRecords = (): string =>
  table(
    ['Type', 'Record', 'From', 'Meaning', 'Header'],
    records.map(({ type, name, from, header, meaning }) => [
      code(type),
      code(name),
      from,
      meaning,
      header ? code(spaced(JSON.stringify(header))) : '',
    ]),
  );

/** JSON that may wrap. */
const spaced = (json: string): string => json.replaceAll('":', '": ').replaceAll(',"', ', "');

const advice: Record<BotroomCloseName, string> = {
  ended: 'No action is needed.',
  service_stopping: 'Connect again within ten seconds: the session continues.',
  bad_record: 'Correct the record that the text names.',
  wrong_token: 'Repeat the POST with its `Idempotency-Key` for a new token.',
  no_room: 'Open a session first.',
  too_slow: 'Read faster, or on a better connection.',
  replaced: 'Another client has your token.',
  session_over: 'Read `end_reason` of the session.',
  too_much: 'Send less at once.',
};

export const botroomClosings = (): string =>
  table(
    ['Code', 'Message', 'What to do'],
    (Object.keys(BOTROOM_CLOSE) as BotroomCloseName[]).map((name) => {
      const { code: number, message } = BOTROOM_CLOSE[name];
      return [code(String(number)), message, advice[name]];
    }),
  );

export const botroomTooSlow = (): string =>
  `Pictures are left out, sound never. With more than ${UNREAD_SOUND_MS / 1000} seconds of unread sound the socket closes with ${BOTROOM_CLOSE.too_slow.code}.`;

export function botroomLimits(): string {
  const { bytes, records: count } = CLIENT_RATES;
  return table(
    ['What', 'Limit'],
    [
      ['A record', `${MAX_RECORD_BYTES / 1024} KiB, its header 4 KiB`],
      ['Speech', '16-bit PCM, one or two channels, 8 to 48 kHz'],
      [
        'What you send',
        `${bytes.perSecond / 1024 ** 2} MiB and ${amount(count.perSecond)} records a second; ${bytes.burst / 1024 ** 2} MiB and ${amount(count.burst)} records at once`,
      ],
      [
        'Speech while no worker is in the room',
        `${HELD_SPEECH_MS / 1000} seconds are kept; beyond them, your socket is not read`,
      ],
      [
        'The token',
        'valid for ten minutes, because only connecting needs it; an open socket stays open',
      ],
      ['Clients of a room', 'one; a later one replaces it'],
      [
        'Bandwidth',
        'about 5 Mbit/s per session: pictures are JPEG, for one machine or one network. Over the internet, WebRTC rooms need a tenth',
      ],
    ],
  );
}
