import { describe, expect, test } from 'vitest';
import type { SpeechPart } from '#shared/process/speech-installs.ts';
import { loadConfig } from '../../../src/config.ts';
import { welcome } from '../../../src/start/messages/welcome.ts';

const facts = {
  address: 'http://127.0.0.1:8080',
  pageCode: 'code-of-the-page',
  mediaServer: {
    url: 'ws://127.0.0.1:7880',
    apiKey: 'troupe-abc',
    apiSecret: 'the-secret',
    isNew: false,
  },
  dataDir: '/srv/data',
};
const firstFacts = {
  ...facts,
  newKey: 'first-key',
  mediaServer: { ...facts.mediaServer, isNew: true },
};

const about = (env: Record<string, string>) => welcome(facts, loadConfig(env), 2);

describe('the welcome message', () => {
  test('shows the first key and the secret of the media server once, with a command to copy', () => {
    const text = welcome(firstFacts, loadConfig({}), 2);

    expect(text).toContain('API key       first-key   (shown only now)');
    expect(text).toContain("-H 'x-api-key: first-key'");
    expect(text).toContain('key troupe-abc   secret the-secret   (shown only now)');
  });

  test('links to the page with the code of this start', () => {
    expect(about({})).toContain('Page          http://127.0.0.1:8080/#code=code-of-the-page');
    expect(about({ PUBLIC_URL: 'https://troupe.example/' })).toContain(
      'https://troupe.example/#code=code-of-the-page',
    );
  });

  test('links to the console as owner until somebody has a password', () => {
    const text = welcome({ ...facts, consoleCode: 'code-of-the-console' }, loadConfig({}), 2);

    expect(text).toContain('Console       http://127.0.0.1:8080/console#link=code-of-the-console');
    expect(about({})).toContain('Console       http://127.0.0.1:8080/console\n');
  });

  test('says what agents think with, if an agent worker runs here', () => {
    const models = { thinks: null, hears: null, speaks: null, installed: null };
    const text = welcome({ ...facts, models }, loadConfig({}), 2);

    expect(text).toContain('Agents        answer in the words of their files');
    expect(text).toContain('\n                for a conversation: install Ollama');
    expect(about({})).not.toContain('Agents ');
  });

  test('says in one line what is still being installed', () => {
    const models = { thinks: null, hears: null, speaks: null, installed: null };
    const textWith = (...installing: SpeechPart[]) =>
      welcome({ ...facts, models, installing }, loadConfig({}), 2);

    expect(textWith('natural_voice', 'speech_recognition')).toContain(
      '\n                being installed: the natural voice and hearing (speech recognition)\n',
    );
    expect(textWith('speech_recognition')).toContain('being installed: hearing');
    expect(textWith()).not.toContain('being installed');
  });

  test('names the development server whose rooms are allowed beside its own', () => {
    const elsewhere = {
      ...facts,
      mediaServer: { ...facts.mediaServer, url: 'ws://127.0.0.1:7881' },
    };
    const textWith = (env: Record<string, string>) => welcome(elsewhere, loadConfig(env), 2);

    expect(textWith({})).toContain(
      "rooms at ws://127.0.0.1:7880 (LiveKit's development server) work too",
    );
    expect(about({})).not.toContain('development server');
    expect(textWith({ PUBLIC_URL: 'https://troupe.example' })).not.toContain('development server');
    expect(textWith({ ALLOWED_MEDIA_SERVERS: 'ws://10.0.0.7:7880' })).not.toContain(
      'development server',
    );
    expect(textWith({ HOST: '0.0.0.0' })).not.toContain('development server');
  });

  test('says at later starts how to get a key, and where the secret is', () => {
    const text = about({});

    expect(text).toContain('npm run key -- --name NAME');
    expect(text).toContain('secret in /srv/data/service-keys.json');
    expect(text).not.toContain('the-secret');
  });

  test.each([
    { LIVEKIT_URL: 'wss://media.example.com' },
    { LIVEKIT_API_SECRET: 'a secret of thirty-two letters xx' },
  ])('does not repeat a secret that it was given: %o', (env) => {
    const text = welcome(firstFacts, loadConfig(env), 2);

    expect(text).not.toContain('the-secret');
    expect(text).not.toContain('thirty-two');
  });

  test('lists what else must be set for use from other machines', () => {
    const text = about({ HOST: '0.0.0.0' });

    expect(text).toContain('PUBLIC_URL: the https address');
    expect(text).toContain('LIVEKIT_PUBLIC_URL: the media server as browsers reach it');
  });

  test('asks for the address of the proxy where one may be in front', () => {
    const PUBLIC_URL = 'https://troupe.example';

    expect(about({ PUBLIC_URL })).toContain('set TRUSTED_PROXIES');
    expect(about({ PUBLIC_URL, TRUSTED_PROXIES: '127.0.0.1' })).not.toContain('TRUSTED_PROXIES');
    expect(about({})).not.toContain('TRUSTED_PROXIES');
  });
});
