import type { VendorAdapter } from '../vendor-adapter.ts';

export const keyframe: VendorAdapter = {
  word: 'keyframe',
  name: 'Keyframe',
  key: [{ header: 'authorization', scheme: 'Bearer' }],
  calls: [
    {
      does: 'open',
      path: '/v1/sessions/plugins/livekit',
      room: { url: 'livekit_url', token: 'livekit_token' },
      avatar: ['persona_id', 'persona_slug'],
      known: ['room_name', 'source_participant_identity'],
      // No model_id: with one, the plugin would use its own audio framing.
      answer: ({ id }) => ({ reservation_id: id }),
    },
  ],
  signals: [{ topic: 'lk.control', means: 'emotion', how: { format: 'text', prefix: 'emotion:' } }],
  docs: {
    python: {
      package: 'livekit-plugins-keyframe',
      code: 'keyframe.AvatarSession(api_url="{address}", api_key="YOUR_KEY", persona_slug="nora")',
    },
    environment: ['KEYFRAME_API_URL={address}', 'KEYFRAME_API_KEY=YOUR_KEY'],
    differs: ['Emotions are not timed to single words.'],
  },
};
