/* Managed calls: how soon they stop and recover, and how well they are understood. */
import { bargeIn as interruptedCall, type BargeIn } from '../../stage/barge-in.ts';
import { HEARD_WITHIN_S } from '../../stage/tone-errors.ts';
import { ANSWER, QUESTION, SpokenCallStage } from '../../stage/spoken-call.ts';
import { leave, ManagedRoom, chatLine, write } from '../../support/agents/managed-room.ts';
import { status } from '../../support/pages/room-page.ts';
import { speechParts } from '../../support/sound/speech-parts.ts';
import { wordErrorRate } from '../../support/sound/word-errors.ts';
import { row, type Row } from '../report/row.ts';

const TRIES = 3;
/** From the person's first sound: 125 ms of speech, and 300 ms. */
const SILENT_AFTER_MS = 125 + 300;
const OBEYED_MS = 300;
/** The media server takes seconds to miss an agent that died. */
const SHOWN_MS = 3_000;

async function inManagedRoom(measure: (room: ManagedRoom) => Promise<Row[]>): Promise<Row[]> {
  const room = await ManagedRoom.start();
  try {
    return await measure(room);
  } finally {
    await room.stop();
  }
}

export const bargeIn = (): Promise<Row[]> =>
  inManagedRoom(async (room) => {
    // By default, the words of the user decide, which takes longer.
    const turn_taking = { interruptibility: 'high' };
    const address = await room.addressOf('tone', { turn_taking });
    const calls: BargeIn[] = [];
    for (let i = 0; i < TRIES; i++) {
      calls.push(await interruptedCall(room, address));
      await room.empty();
    }
    const limit = (subject: string, atMost: number, time: (call: BargeIn) => number): Row =>
      row({
        what: `${subject}, ${TRIES} times`,
        unit: 'ms',
        values: calls.map(time),
        goal: { of: 'worst', atMost },
      });
    const silence = 'first sound of the user until silence of the agent';
    return [
      limit(`${silence} in their page`, SILENT_AFTER_MS, (c) => c.pageSilentAt - c.spokeAt),
      limit(`${silence} at a guest`, SILENT_AFTER_MS, (c) => c.guestSilentAt - c.spokeAt),
      limit('decision to stop until silence', OBEYED_MS, (c) => c.pageSilentAt - c.decidedAt),
      limit(
        "decision to stop until the avatar's report",
        OBEYED_MS,
        (c) => c.obeyedAt - c.decidedAt,
      ),
      row({
        what: `position reported of the cut answer, minus what a guest heard, ${TRIES} times`,
        unit: 'ms',
        values: calls.map(({ position, heardSeconds }) => 1_000 * (position - heardSeconds)),
        goal: { of: 'worst', within: 1_000 * HEARD_WITHIN_S },
      }),
    ];
  });

export const managedRoom = (): Promise<Row[]> =>
  inManagedRoom(async (room) => {
    const address = await room.addressOf('babble');
    const values: number[] = [];
    for (let i = 0; i < TRIES; i++) {
      const { page } = await room.join(address);
      await write(page, 'Tell me a story.');
      await chatLine(page, 'ai', 'This lamp').waitFor();
      const killedAt = performance.now();
      await room.service.killProgram('agent');
      await status(page).getByText('is reconnecting').waitFor();
      values.push(performance.now() - killedAt);
      await status(page).getByText('Live').waitFor();
      await leave(page);
      await room.empty();
    }
    return [
      row({
        what: `kill -9 of the agent's worker until the page says so, ${TRIES} times`,
        unit: 'ms',
        values,
        goal: { of: 'worst', atMost: SHOWN_MS },
      }),
    ];
  });

export async function spokenCall(): Promise<Row[]> {
  if (!speechParts) throw new Error('TROUPE_SPEECH_PARTS names no folder with speech parts');
  const stage = await SpokenCallStage.open(speechParts);
  const percent = { unit: '%' } as const;
  try {
    const { messages, cleanErrors, receivedErrors, spokenSeconds, heardSeconds } =
      await stage.converse();
    const question = messages.find(({ sender }) => sender === 'user')?.message ?? '';
    const questionErrors = wordErrorRate([{ script: QUESTION, transcript: question }]);
    const wordsOfAnswer = ANSWER.split(' ').length;
    return [
      row({
        what: 'words of a spoken question that the agent misses',
        ...percent,
        values: 100 * questionErrors,
        goal: { of: 'worst', atMost: 100 / QUESTION.split(' ').length },
      }),
      row({
        what: 'words of the spoken answer that a judge misses at a viewer, minus those that it misses of the voice alone',
        ...percent,
        values: 100 * (receivedErrors - cleanErrors),
        goal: { of: 'worst', atMost: 100 / wordsOfAnswer },
      }),
      row({
        what: 'length of the answer at a viewer, minus that of the voice alone',
        unit: 's',
        values: heardSeconds - spokenSeconds,
        goal: { of: 'worst', within: 0.5 },
      }),
    ];
  } finally {
    await stage.stop();
  }
}
