import { Room, RoomEvent } from '@livekit/rtc-node';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startService, type RunningService } from '../support/service.ts';
import { until } from '../support/until.ts';

const PATIENCE_MS = 60_000;

let service: RunningService;
const leaving: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  service = await startService();
});
afterEach(async () => {
  for (const leave of leaving.splice(0).toReversed()) await leave();
  await service.endSessions();
});
afterAll(() => service?.stop());

type Call = { id: string; livekit_url: string; livekit_token: string };
type Message = { sender: 'ai' | 'user'; message: string; latency?: Record<string, number | null> };

/** An agent with one file, and its user in a call with it. */
async function call(settings: { system_prompt?: string; greeting: string; file?: string }) {
  const { file, ...agentSettings } = settings;
  const files = file
    ? [
        await service.make('/v1/knowledge-files', {
          name: 'shop.txt',
          format: 'text',
          content: file,
        }),
      ]
    : [];
  const agent = await service.make('/v1/agents', {
    name: 'Nora',
    avatar_id: 'nora',
    ...agentSettings,
    ...(files.length > 0 && { knowledge_files: files.map(({ id }) => id) }),
  });
  const { id, livekit_url, livekit_token } = await service.make<Call>('/v1/calls', {
    agent_id: agent.id,
  });
  const user = new Room();
  let heard = '';
  user.registerTextStreamHandler('lk.transcription', async (reader, { identity }) => {
    if (identity === user.localParticipant?.identity) return;
    // A stream breaks off when its agent is killed.
    await (async () => {
      for await (const piece of reader) heard += piece;
    })().catch(() => {});
  });
  const attributes: Record<string, string> = {};
  user.on(
    RoomEvent.ParticipantAttributesChanged,
    (changed) => void Object.assign(attributes, changed),
  );
  await user.connect(livekit_url, livekit_token, { autoSubscribe: false, dynacast: false });
  leaving.push(() => user.disconnect());
  const messages = async () =>
    (await (await service.api(`/v1/calls/${id}/messages`)).json()) as Message[];
  return {
    id,
    user,
    attributes,
    messages,
    heard: () => heard,
    write: (text: string) => user.localParticipant!.sendText(text, { topic: 'lk.chat' }),
    /** It was heard in the room, and is kept. */
    says: async (part: string) => {
      await until(() => heard.includes(part), PATIENCE_MS);
      const isKept = ({ sender, message }: Message) => sender === 'ai' && message.includes(part);
      await until(async () => (await messages()).some(isKept), PATIENCE_MS);
    },
  };
}

describe('a managed agent', () => {
  test('two calls at once: each greets, answers from its own file, and keeps what was said', async () => {
    const [lamps, boats] = await Promise.all([
      call({ greeting: 'Hello from the lamp shop.', file: 'The secret word is heliotrope.' }),
      call({ greeting: 'Hello from the harbour.', file: 'The secret word is magnolia.' }),
    ]);

    await Promise.all([lamps.says('lamp shop'), boats.says('harbour')]);
    await Promise.all([lamps, boats].map(({ write }) => write('What is the secret word?')));
    await Promise.all([lamps.says('heliotrope'), boats.says('magnolia')]);

    const said = await lamps.messages();
    expect(said.map(({ sender, message }) => [sender, message])).toEqual([
      ['ai', 'Hello from the lamp shop.'],
      ['user', 'What is the secret word?'],
      ['ai', 'In shop I read: The secret word is heliotrope.'],
    ]);
    expect(JSON.stringify(await boats.messages())).not.toContain('heliotrope');
    expect(lamps.heard()).toContain('heliotrope');
    expect(said[2]!.latency).toBeDefined();
    expect(lamps.attributes['troupe.hears'] ?? 'no').toBe('no');
  });

  test('falls silent when somebody writes, and what is kept ends where it was heard', async () => {
    const { write, messages, says, heard } = await call({
      greeting:
        'One is the first number. Two is the second number. Three is the third number. Four is the fourth number.',
    });
    await until(() => heard().includes('Two'), PATIENCE_MS);

    await write('Who are you?');
    await says('without a language model');

    const greeting = (await messages()).find(({ message }) => message.startsWith('One'));
    expect(greeting?.message).not.toContain('Four');
  });

  test('a kill -9 of its face in mid-sentence: the next one says the rest', async () => {
    const { says, heard, messages } = await call({
      greeting:
        'One is the first number. Two is the second number. Three is the third number. Four is the fourth number.',
    });
    await until(() => heard().includes('Two'), PATIENCE_MS);

    await service.killProgram('worker');

    await says('Four is the fourth number.');
    const said = (await messages()).map(({ message }) => message);
    expect(said).toHaveLength(2);
    expect(said.join(' ')).toBe(
      'One is the first number. Two is the second number. Three is the third number. Four is the fourth number.',
    );
  });

  test('a kill -9 of its worker in mid-sentence: the call goes on, and the question is answered', async () => {
    const { write, says, heard, messages } = await call({
      greeting: 'Hi.',
      system_prompt:
        'The secret word is heliotrope, which is a flower that turns to the sun and smells of vanilla, as everybody knows who ever had one in the garden.',
    });
    await says('Hi.');
    await write('What is the secret word?');
    await until(() => heard().includes('flower'), PATIENCE_MS);

    await service.killProgram('agent');

    await says('as everybody knows');
    await write('Who are you?');
    await says('without a language model');
    expect((await messages()).filter(({ message }) => message === 'Hi.')).toHaveLength(1);
  });
});
