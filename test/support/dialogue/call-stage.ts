import type { CallBrief, CallLine } from '#protocol/call-brief.ts';
import { createLog } from '#shared/log.ts';
import { Dialogue } from '../../../workers/agent/dialogue/dialogue.ts';
import type { AvatarParticipant } from '../../../workers/agent/speech/avatar-participant.ts';
import type { Voice } from '../../../workers/agent/voices/voice.ts';
import { performInMemory } from '../picture/session.ts';
import { until } from '../until.ts';
import { briefWith } from '../agents/call-brief.ts';
import { noBudget } from '../agents/no-budget.ts';

/** A managed agent and its avatar, joined by function calls, on one test clock. */
export async function openCallStage(
  facts: Partial<CallBrief>,
  // Time passes faster than a model of this machine answers.
  { patienceMs = 3_600_000 }: { patienceMs?: number } = {},
) {
  const sentences: string[] = [];
  /** Ten characters per second, louder than silence. */
  const voice: Voice = {
    name: 'steady',
    async *speak(sentence) {
      sentences.push(sentence);
      yield { samples: new Int16Array(sentence.length * 2_400).fill(5_000), sampleRate: 24_000 };
    },
  };
  const { clock, transport, session } = performInMemory();
  await session.started;
  let streams = 0;
  const avatar: AvatarParticipant = {
    whenVisible: async () => {},
    async openStream(sampleRate) {
      const stream = `stream ${++streams}`;
      transport.listener!.begin(stream, { sampleRate, channels: 1 });
      return {
        write: async (bytes) => transport.listener!.chunk(stream, bytes.slice()),
        close: async () => transport.listener!.end(stream),
      };
    },
    clear: async () => transport.listener!.clear(),
  };
  const lines: Omit<CallLine, 'agoMs'>[] = [];
  const dialogue = new Dialogue({
    brief: briefWith(facts),
    control: { passages: async () => [], reportPictureRefusal: async () => {} },
    lines: { add: (line) => void lines.push(line) },
    room: { avatar },
    speech: { voice, hearing: null, patienceMs },
    budget: noBudget,
    clock,
    log: createLog({ name: 'test', level: 'silent' }),
  });
  transport.playbackStarted = () => dialogue.playbackStarted();
  transport.playbackFinished = (finished) => dialogue.playbackFinished(finished);
  await dialogue.start();

  /** Lets time pass until something has happened. */
  const passUntil = (hasHappened: () => boolean): Promise<void> =>
    until(async () => {
      await clock.pass(200);
      return hasHappened();
    });
  return {
    clock,
    transport,
    dialogue,
    lines,
    /** The texts that the voice got. */
    sentences,
    passUntil,
    /** Milliseconds of speech played from a time on. */
    spokenMs: (fromMs: number): number =>
      transport
        .playedSound(fromMs, clock.elapsed() - fromMs)
        .filter((sample) => Math.abs(sample) > 1_000).length / 48,
    async close() {
      await dialogue.close();
      await session.close();
    },
  };
}
