import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isBehindProxy, loadConfig, oldNameWarnings } from '../src/config.ts';

describe('configuration', () => {
  test('has a default for every required setting', () => {
    expect(loadConfig({})).toEqual({
      PORT: 8080,
      HOST: '127.0.0.1',
      CHAT_CALLS_PER_HOUR: 20,
      CHAT_CALLS_PER_ADDRESS: 10,
      CHAT_CALLS_PER_AGENT: 50,
      CHAT_TOKENS_PER_ADDRESS: 1_000_000,
      CHAT_SPEECH_PER_ADDRESS: 250_000,
      CHAT_SECONDS_PER_ADDRESS: 36_000,
      CHAT_AI_LABEL: 'on',
      DATA_DIR: './data',
      LOG_LEVEL: 'info',
      MIN_FREE_MIB: 256,
      REQUESTS_PER_MINUTE: 6000,
      EVENT_STREAMS_PER_KEY: 100,
      BODY_MEMORY_MIB: 96,
      BODY_DISK_MIB: 512,
      UNREAD_ANSWERS_MIB: 128,
      PLACEMENT: 'spread',
      LATE_FRAMES_LIMIT: 0.05,
      SLOT_WAIT_MS: 2_000,
      MAX_WAITING: 1_000,
      WARM_SLOTS: 1,
      OPENID_NAME: 'Single sign-on',
      OPENAI_MODEL: 'gpt-4.1-mini',
      OPENAI_TTS_VOICE: 'alloy',
    });
  });

  test('treats empty variables as unset and ignores unknown ones', () => {
    const config = loadConfig({ PORT: '', PUBLIC_URL: '', HOME: '/root' });

    expect(config.PORT).toBe(8080);
    expect(config).not.toHaveProperty('PUBLIC_URL');
    expect(config).not.toHaveProperty('HOME');
  });

  test('is frozen', () => {
    expect(Object.isFrozen(loadConfig({ PORT: '99' }))).toBe(true);
  });

  test('limits the wait for a slot to less than the timeout of published clients', () => {
    expect(loadConfig({ SLOT_WAIT_MS: '8000' }).SLOT_WAIT_MS).toBe(8_000);
    expect(() => loadConfig({ SLOT_WAIT_MS: '8001' })).toThrow('SLOT_WAIT_MS must be <= 8000');
  });

  test('lists all invalid variables in one error', () => {
    const wrong = {
      PORT: '70000',
      LOG_LEVEL: 'loud',
      TROUPE_SECRET_KEY: 'short',
      LIVEKIT_URL: 'x',
    };

    expect(() => loadConfig(wrong)).toThrow(/PORT.*LIVEKIT_URL.*TROUPE_SECRET_KEY.*LOG_LEVEL/s);
  });

  test.each([
    { INFERENCE_MEDIA_SERVERS: 'wss://key:secret@a.example, ws://devkey:se%40cret@10.0.0.1:7880' },
    { DOOR_AVATARS: 'tavus:r4067604db72=otto, boson_avatar:a b=mira' },
    { TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8,fd00::/8' },
  ])('accepts a comma-separated list: %o', (env) => {
    expect(loadConfig(env)).toMatchObject(env);
  });

  test.each([
    { INFERENCE_MEDIA_SERVERS: 'wss://a.example' },
    { INFERENCE_MEDIA_SERVERS: 'wss://key@a.example' },
    { INFERENCE_MEDIA_SERVERS: 'wss://key:secret@a.example,b.example' },
    { DOOR_AVATARS: 'r4067604db72=otto' },
    { DOOR_AVATARS: 'tavus:r4067604db72' },
    { TRUSTED_PROXIES: 'loopback' },
    { ALLOWED_NETWORKS: '10.0.0.0/33' },
  ])('refuses %o', (env) => {
    expect(() => loadConfig(env)).toThrow(Object.keys(env)[0]);
  });

  test('takes a setting by its old name, unless the new one is set, and says so', () => {
    const [old, current] = ['wss://key:old@a.example', 'wss://key:new@a.example'];
    const env = { DOOR_MEDIA_SERVERS: old };

    expect(loadConfig(env).INFERENCE_MEDIA_SERVERS).toBe(old);
    expect(loadConfig({ ...env, INFERENCE_MEDIA_SERVERS: current })).toMatchObject({
      INFERENCE_MEDIA_SERVERS: current,
    });
    expect(loadConfig({ ...env, INFERENCE_MEDIA_SERVERS: '' }).INFERENCE_MEDIA_SERVERS).toBe(old);
    expect(oldNameWarnings(env)).toEqual([
      'DOOR_MEDIA_SERVERS is the old name of INFERENCE_MEDIA_SERVERS. It still works; rename it.',
    ]);
    expect(oldNameWarnings({ INFERENCE_MEDIA_SERVERS: current, DOOR_MEDIA_SERVERS: '' })).toEqual(
      [],
    );
  });

  test('names the entry of a list that is no network', () => {
    expect(() => loadConfig({ ALLOWED_NETWORKS: '127.0.0.1,10.0.0' })).toThrow(
      'Configuration: ALLOWED_NETWORKS holds 10.0.0, which is no address or network such as 10.0.0.0/8',
    );
  });

  test.each([
    { PUBLIC_URL: 'https://a.example' },
    { CHAT_URL: 'https://a.example' },
    { TRUSTED_PROXIES: '::1' },
  ])('expects a proxy in front with %o', (env) => {
    expect(isBehindProxy(loadConfig(env))).toBe(true);
    expect(isBehindProxy(loadConfig({}))).toBe(false);
  });

  test('lists every setting of every process in .env.example', () => {
    const sources = [
      'src/config.ts',
      'src/shared/config.ts',
      'workers/runtime/config.ts',
      'workers/avatar/config.ts',
      'workers/agent/config.ts',
    ].map((file) => readFileSync(file, 'utf8'));
    const example = readFileSync('.env.example', 'utf8');
    const keys = [...sources.join('\n').matchAll(/^ {2}([A-Z_]+): Type/gm)].map(([, key]) => key!);

    expect(keys).toEqual(expect.arrayContaining(['PORT', 'DATA_DIR', 'RENEW_AFTER_SESSIONS']));
    for (const key of keys) expect(example).toMatch(new RegExp(`^${key}=`, 'm'));
  });
});
