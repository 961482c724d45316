import { BOTROOM_CLOSE } from '#protocol/botroom/close-codes.ts';
import type {
  CaptionHeader,
  ErrorHeader,
  PcmHeader,
  PlaybackHeader,
  StatisticsHeader,
  VideoHeader,
} from '#protocol/botroom/headers.ts';
import { HELLO_VERSION, OPTIONAL_RECORDS } from '#protocol/botroom/hello.ts';
import { RECORD, type RecordName } from '#protocol/botroom/records.ts';

type RecordRow = {
  name: RecordName;
  /** As written on the wire. */
  type: string;
  from: 'you' | 'Troupe';
  /** An example; null: empty. */
  header: object | null;
  meaning: string;
};

type Meaning = Pick<RecordRow, 'from' | 'header' | 'meaning'>;

const speech: PcmHeader = { sample_rate: 24_000, num_channels: 1 };
const sound: PcmHeader = { sample_rate: 48_000, num_channels: 1 };
const picture: VideoHeader = { width: 512, height: 512, encoding: 'jpeg', timestamp_ms: 40 };
const caption: CaptionHeader = { text: 'Good morning!' };
const playback: PlaybackHeader = { event: 'finished', position_ms: 1_480, interrupted: true };
const statistics: StatisticsHeader = { pictures_sent: 118, pictures_dropped: 7 };
const error: ErrorHeader = { message: BOTROOM_CLOSE.session_over.message };

/** Records between workers and control plane have no meaning to clients. */
const meanings: Record<RecordName, Meaning[]> = {
  audio: [
    { from: 'you', header: speech, meaning: 'Speech for the avatar: 16-bit little-endian PCM.' },
    {
      from: 'Troupe',
      header: sound,
      meaning: 'Sound to play at once. After `hello`, pauses are sent as silence.',
    },
  ],
  flush: [{ from: 'you', header: null, meaning: 'The utterance is complete.' }],
  interrupt: [{ from: 'you', header: null, meaning: 'Drop all speech: the avatar falls silent.' }],
  listen: [
    {
      from: 'you',
      header: speech,
      meaning: 'What the person says, as PCM. The avatar looks attentive.',
    },
  ],
  close: [{ from: 'you', header: null, meaning: 'End the session.' }],
  ready: [{ from: 'Troupe', header: null, meaning: 'The avatar is ready. Sent once.' }],
  video: [
    {
      from: 'Troupe',
      header: picture,
      meaning:
        'A picture, 25 per second. After `hello`, an unchanged picture is sent once per second.',
    },
  ],
  error: [{ from: 'Troupe', header: error, meaning: 'Why the socket closes.' }],
  hello: [
    {
      from: 'you',
      header: { version: HELLO_VERSION, wants: [...OPTIONAL_RECORDS] },
      meaning: 'The optional records that you understand.',
    },
  ],
  playback: [
    {
      from: 'Troupe',
      header: playback,
      meaning: 'Optional. An utterance started, or finished, with how much of it was heard.',
    },
  ],
  caption: [
    { from: 'you', header: caption, meaning: 'The words of the speech that follows.' },
    { from: 'Troupe', header: caption, meaning: 'Optional. The same words, when they are played.' },
  ],
  statistics: [
    {
      from: 'Troupe',
      header: statistics,
      meaning: 'Optional. Counts since you connected, every five seconds.',
    },
  ],
  presence: [],
  released: [],
};

export const records: readonly RecordRow[] = (Object.keys(meanings) as RecordName[])
  .toSorted((a, b) => RECORD[a] - RECORD[b])
  .flatMap((name) =>
    meanings[name].map((meaning) => ({ name, type: hexOf(RECORD[name]), ...meaning })),
  );

function hexOf(type: number): string {
  return `0x${type.toString(16).padStart(2, '0')}`;
}
