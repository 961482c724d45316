import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { welcome } from '../../src/start/welcome.ts';

const facts = {
  address: 'http://127.0.0.1:8080',
  mediaServer: { url: 'ws://127.0.0.1:7880', apiKey: 'troupe-abc', apiSecret: 'the-secret' },
  dataDir: '/srv/data',
};

describe('the welcome message', () => {
  test('shows the first key once, with a command to copy', () => {
    const text = welcome({ ...facts, newKey: 'first-key' }, loadConfig({}), 2);

    expect(text).toContain('API key       first-key   (shown only now)');
    expect(text).toContain("-H 'x-api-key: first-key'");
    expect(text).toContain('key troupe-abc   secret the-secret');
    expect(text).toContain('Page          http://127.0.0.1:8080/');
  });

  test('explains how to get a key at later starts', () => {
    expect(welcome(facts, loadConfig({}), 2)).toContain('npm run key -- --name NAME');
  });

  test('does not repeat the secret of an external media server', () => {
    const config = loadConfig({ LIVEKIT_URL: 'wss://media.example.com' });

    expect(welcome(facts, config, 2)).not.toContain('the-secret');
  });

  test('lists what else must be set for use from other machines', () => {
    const text = welcome(facts, loadConfig({ HOST: '0.0.0.0' }), 2);

    expect(text).toContain('PUBLIC_URL: the https address');
    expect(text).toContain('LIVEKIT_PUBLIC_URL: the media server as browsers reach it');
  });
});
