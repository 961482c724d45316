import type { VendorAdapter } from '../vendor-adapter.ts';

/** Error codes that the plugin distinguishes. It detects 5xx by status. */
const codes: Record<number, string> = {
  401: 'unauthorized',
  402: 'quota_exceeded',
  403: 'forbidden',
  404: 'unknown_avatar',
  429: 'concurrency_limit',
};

export const synthesia: VendorAdapter = {
  word: 'synthesia',
  name: 'Synthesia',
  key: [{ header: 'authorization' }],
  calls: [
    {
      does: 'open',
      path: '/api/interactive-avatars/sessions',
      room: { url: 'livekitUrl', token: 'livekitToken' },
      avatar: ['avatarIds.0'],
      avatarId: (text) => text.replace(/^av_/, ''),
      answer: ({ id }) => ({ id }),
    },
  ],
  error: (status, message) => ({ error: { code: codes[status] ?? 'validation_error', message } }),
  docs: {
    python: {
      package: 'livekit-plugins-synthesia',
      code: 'synthesia.AvatarSession(synthesia.AvatarConfig(avatar_ids=["nora"]), api_url="{address}", api_key="YOUR_KEY")',
    },
    environment: ['SYNTHESIA_API_URL={address}', 'SYNTHESIA_API_KEY=YOUR_KEY'],
    differs: ['The first avatar performs; `swap_avatar` is answered with an error.'],
  },
};
