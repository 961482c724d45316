import type { voice } from '@livekit/agents';
import type { Room } from '@livekit/rtc-node';
import { beforeEach, describe, expect, test } from 'vitest';
import { CurrentLine, repeatCurrentLine } from '../../../../workers/agent/dialogue/current-line.ts';
import { quietLog } from '../../../support/fleet/control-plane.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

type Answer = (call: { callerIdentity: string }) => Promise<string>;
type StreamOptions = { attributes: Record<string, string>; destinationIdentities: string[] };

let sinks: object[];
let line: CurrentLine;
let answer: Answer;
/** The texts that a user received, one for each stream. */
let received: { options: StreamOptions; pieces: string[]; isClosed: boolean }[];
let opening: Promise<void>;

beforeEach(() => {
  received = [];
  opening = Promise.resolve();
  sinks = [{ currentId: 'legacy' }, { currentId: 'SG_1', writer: null }];
  const localParticipant = {
    registerRpcMethod: (_method: string, given: Answer) => (answer = given),
    async streamText(options: StreamOptions) {
      await opening;
      const stream = { options, pieces: [] as string[], isClosed: false };
      received.push(stream);
      return {
        write: async (text: string) => void stream.pieces.push(text),
        close: async () => void (stream.isClosed = true),
      };
    },
  };
  const roomIo = { agentTranscriptOutput: { _sinks: sinks } } as unknown as voice.RoomIO;
  repeatCurrentLine(roomIo, { localParticipant } as unknown as Room, 'user', quietLog);
  line = sinks.at(-1) as CurrentLine;
});

const ask = (callerIdentity = 'user') => answer({ callerIdentity });

describe('the line that is being said', () => {
  test('is sent whole to a user who comes late, under the same id', async () => {
    await line.captureText('We open ');
    await line.captureText({ text: 'at ten ' });

    expect(await ask()).toBe('ok');
    await line.captureText('every day.');
    line.flush();
    await settled();

    expect(received).toEqual([
      {
        options: expect.objectContaining({
          attributes: { 'lk.segment_id': 'SG_1' },
          destinationIdentities: ['user'],
        }),
        pieces: ['We open at ten ', 'every day.'],
        isClosed: true,
      },
    ]);
  });

  test('is complete although its stream opens slowly', async () => {
    const opened = Promise.withResolvers<void>();
    opening = opened.promise;
    await line.captureText('We open ');

    await ask();
    await line.captureText('at ten.');
    line.flush();
    opened.resolve();
    await settled();

    expect(received).toMatchObject([{ pieces: ['We open ', 'at ten.'], isClosed: true }]);
  });

  test('is sent whole while it is still spoken', async () => {
    await line.captureText('We open at ten.');
    line.flush();

    expect(await ask()).toBe('ok');
    await settled();

    expect(received).toMatchObject([{ pieces: ['We open at ten.'], isClosed: true }]);
  });

  test('is not mixed with the next one', async () => {
    await line.captureText('Hello.');
    line.flush();
    await line.captureText('And on.');

    await ask();
    await settled();

    expect(received).toMatchObject([{ pieces: ['And on.'], isClosed: false }]);
  });

  test('is not sent when it is recorded', async () => {
    await line.captureText('Hello.');
    line.flush();
    line.recorded();

    expect(await ask()).toBe('reject');
    await line.captureText('And on.');
    await settled();

    expect(received).toEqual([]);
  });

  test('is for the user alone', async () => {
    await line.captureText('Hello.');

    expect(await ask('another')).toBe('reject');
    await settled();

    expect(received).toEqual([]);
  });
});
