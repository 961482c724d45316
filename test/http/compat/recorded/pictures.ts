import { bearer, json, multipart, type Given, type Recorded } from './recording.ts';

const png = { type: 'image/png', value: '\x89PNG\r\n\x1a\n\0\0pixels' };
const jpeg = { type: 'image/jpeg', value: '\xff\xd8\xff\xe0\0\x10JFIF pixels' };

const lemonslice = ({ url, token, avatar }: Given) => ({
  transport_type: 'livekit',
  properties: { livekit_url: url, livekit_token: token, livekit_session_id: 'RM_x7dPqoGCrcJn' },
  agent_id: avatar,
});

/** Plugins that send a picture, or a form. */
export const PICTURES: Recorded[] = [
  {
    of: 'lemonslice 1.8.9',
    calls: [
      (values) => ({
        url: '/compat/lemonslice',
        ...json(
          {
            ...lemonslice(values),
            agent_prompt: 'Smile a lot.',
            agent_idle_prompt: 'Look around.',
            idle_timeout: 60,
            audio_sample_rate: 24_000,
            model: 'v2',
            response_done_timeout: 2,
          },
          { 'X-API-Key': values.key },
        ),
      }),
    ],
    id: 'session_id',
    unused: ['agent_prompt', 'agent_idle_prompt', 'idle_timeout', 'model', 'response_done_timeout'],
  },
  {
    of: 'lemonslice 1.8.9 with a picture',
    calls: [
      (values) => ({
        url: '/compat/lemonslice',
        ...multipart(
          [
            {
              name: 'payload',
              type: 'application/json',
              value: JSON.stringify(lemonslice(values)),
            },
            { name: 'image', file: 'image.png', ...png },
          ],
          { 'X-API-Key': values.key },
        ),
      }),
    ],
    id: 'session_id',
    unused: ['image'],
  },
  {
    of: 'bithuman 1.8.10',
    calls: [
      ({ url, token, key, avatar }) => ({
        url: '/compat/bithuman',
        ...json(
          {
            livekit_url: url,
            livekit_token: token,
            room_name: 'their-room',
            mode: 'cpu',
            model: 'essence-2',
            agent_id: avatar,
          },
          { 'api-secret': key },
        ),
      }),
    ],
    id: 'session_id',
    unused: ['model'],
  },
  {
    of: 'bithuman 1.8.10 with a picture',
    calls: [
      ({ url, token, key, avatar }) => ({
        url: '/compat/bithuman?async=true',
        ...multipart(
          [
            { name: 'livekit_url', value: url },
            { name: 'livekit_token', value: token },
            { name: 'room_name', value: 'their-room' },
            { name: 'model', value: 'expression' },
            { name: 'async_mode', value: 'true' },
            { name: 'avatar_image', file: 'avatar.jpg', ...jpeg },
            { name: 'avatar_id', value: avatar },
          ],
          bearer(key),
        ),
      }),
    ],
    id: 'session_id',
    unused: ['model', 'avatar_image'],
  },
  {
    of: 'hedra 1.5.1',
    calls: [
      ({ url, token, key, avatar }) => ({
        url: '/compat/hedra',
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-api-key': key },
        payload: new URLSearchParams({
          livekit_url: url,
          livekit_token: token,
          avatar_id: avatar,
        }).toString(),
      }),
    ],
    id: 'session_id',
  },
  {
    of: 'hedra 1.5.1 with a picture',
    calls: [
      ({ url, token, key, avatar }) => ({
        url: '/compat/hedra',
        ...multipart(
          [
            { name: 'livekit_url', value: url },
            { name: 'livekit_token', value: token },
            { name: 'avatar_id', value: avatar },
            { name: 'avatar_image', file: 'avatar.jpg', ...jpeg },
          ],
          { 'x-api-key': key },
        ),
      }),
    ],
    id: 'session_id',
    unused: ['avatar_image'],
  },
];
