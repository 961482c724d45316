import { describe, expect, test } from 'vitest';
import { VENDOR_ADAPTERS } from '../../../../src/http/compat/vendor-adapters.ts';
import { vendorSnippets } from '../../../../src/web/docs/facts/vendor-snippets.ts';
import { linesOf, textOf } from '../../../../src/web/plugin/snippets.ts';

const origin = 'http://localhost:8080';
const snippetsOf = (word: string) => {
  const adapter = VENDOR_ADAPTERS.find((each) => each.word === word);
  return adapter ? vendorSnippets(adapter, origin) : [];
};
const textIn = (word: string, name: string) => {
  const snippet = snippetsOf(word).find((each) => each.name === name);
  return snippet ? textOf(snippet) : '';
};

describe('vendor snippets', () => {
  test('show Python code', () => {
    expect(textIn('anam', 'Python')).toBe(`from livekit.plugins import anam

avatar = anam.AvatarSession(
    api_url="http://localhost:8080/compat/anam",
    api_key="YOUR_KEY",
    persona_config=anam.PersonaConfig(name="Nora", avatarId="nora"),
)
await avatar.start(session, room=ctx.room)
`);
  });

  test('show Node code', () => {
    expect(textIn('inference', 'Node')).toBe(`import { inference } from '@livekit/agents';

const avatar = new inference.AvatarSession({
  model: 'troupe/nora',
  baseURL: 'http://localhost:8080/compat/inference',
});
await avatar.start(session, ctx.room);
`);
  });

  test('show Pipecat code', () => {
    expect(textIn('ojin', 'Pipecat'))
      .toBe(`from pipecat_ojin import OjinVideoService, OjinVideoSettings

avatar = OjinVideoService(OjinVideoSettings(
    ws_url="ws://localhost:8080/compat/ojin",
    api_key="YOUR_KEY",
    config_id="nora",
))
pipeline = Pipeline([transport.input(), stt, llm, tts, avatar, transport.output()])
`);
  });

  test('show environment variables', () => {
    expect(textIn('anam', 'Env')).toBe(`ANAM_API_URL=http://localhost:8080/compat/anam
ANAM_API_KEY=YOUR_KEY
`);
  });

  test.each(VENDOR_ADAPTERS)('mark the changed lines for $name', ({ word }) => {
    const [snippet] = snippetsOf(word);

    const changed = linesOf(snippet!).filter(({ isNew }) => isNew);
    const address = new RegExp(`"(?:http|ws)://localhost:8080/compat/${word}"`);
    expect(changed.map(({ text }) => text).join()).toMatch(address);
    expect(changed.length).toBeLessThanOrEqual(2);
  });

  test.each(
    VENDOR_ADAPTERS.flatMap((adapter) =>
      vendorSnippets(adapter, origin).map((each) => ({ ...each, adapter })),
    ),
  )('have balanced brackets: $adapter.name in $name', (snippet) => {
    const text = textOf(snippet);

    expect(text.match(/[([{]/g)?.length).toBe(text.match(/[)\]}]/g)?.length);
    expect(text).not.toContain('undefined');
  });
});
