import type { voice } from '@livekit/agents';
import { expect, test } from 'vitest';
import { sendEarlyLines } from '../../../../workers/agent/dialogue/early-lines.ts';

class Sink {
  readonly participants: (string | null)[] = [];
  setParticipant(participant: string | null): void {
    this.participants.push(participant);
  }
}

test('lines have a sender from the start, which the framework does not set again', () => {
  const sink = new Sink();
  const outputs = { agentTranscriptOutput: { _sinks: [sink, {}] } };

  sendEarlyLines(outputs as unknown as voice.RoomIO, 'agent');
  sink.setParticipant('agent');
  sink.setParticipant('another');

  expect(sink.participants).toEqual(['agent', 'another']);
});

test('a session without lines in a room is left alone', () => {
  expect(() => sendEarlyLines({} as unknown as voice.RoomIO, 'agent')).not.toThrow();
});
