import type { VendorAdapter } from '../vendor-adapter.ts';

export const bithuman: VendorAdapter = {
  word: 'bithuman',
  name: 'bitHuman',
  key: [{ header: 'api-secret' }, { header: 'authorization', scheme: 'Bearer' }],
  calls: [
    {
      does: 'open',
      path: '/',
      picture: ['avatar_image', 'avatar_image_url', 'image'],
      room: { url: 'livekit_url', token: 'livekit_token' },
      avatar: ['agent_id', 'avatar_id'],
      known: ['room_name', 'mode', 'async_mode'],
      answer: ({ id }) => ({ session_id: id, status: 'starting' }),
    },
  ],
  docs: {
    python: {
      package: 'livekit-plugins-bithuman',
      code: 'bithuman.AvatarSession(api_url="{address}", api_secret="YOUR_KEY", avatar_id="nora")',
    },
    environment: ['BITHUMAN_API_URL={address}', 'BITHUMAN_API_SECRET=YOUR_KEY'],
    differs: [
      'Cloud mode only: with a model file the plugin renders the avatar itself and makes no request.',
      'The plugin writes its key into the avatar’s attributes, which everyone in the room can read. Create a separate key for it, in an account with a small plan, and revoke it when in doubt.',
      '`model` is accepted and not used.',
    ],
  },
};
