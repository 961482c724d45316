import type { VendorAdapter } from '../vendor-adapter.ts';

export const inference: VendorAdapter = {
  word: 'inference',
  name: 'LiveKit Inference',
  key: 'media server',
  calls: [
    {
      does: 'open',
      path: '/avatar/sessions',
      room: {
        url: 'livekit_url',
        room: 'room_name',
        identity: 'avatar_identity',
        name: 'avatar_name',
        agent: 'agent_identity',
      },
      // The model `troupe/theo` arrives as provider and avatar, the model `theo` as provider only.
      avatar: ['avatar_id', 'provider'],
      known: ['room_sid'],
      answer: ({ id, proof, field }) => ({
        session_id: id,
        provider_session_id: id,
        terminate_token: proof,
        avatar_identity: field('avatar_identity'),
        // The rate of most voices, so that the agent need not resample.
        sample_rate: 24_000,
      }),
    },
    {
      does: 'end',
      method: 'POST',
      path: '/avatar/sessions/terminate',
      session: 'provider_session_id',
      proof: 'terminate_token',
      answer: ({ id }) => ({ provider_session_id: id, status: 'terminated' }),
    },
  ],
  docs: {
    python: {
      package: 'livekit-agents',
      code: 'inference.AvatarSession("troupe/nora", base_url="{address}")',
    },
    node: {
      package: '@livekit/agents',
      code: "new inference.AvatarSession({ model: 'troupe/nora', baseURL: '{address}' })",
    },
    differs: [
      'No plugin and no key: the agent signs with its media server’s own `LIVEKIT_API_KEY` and `LIVEKIT_API_SECRET`. Troupe knows the key of its own media server; add others to `INFERENCE_MEDIA_SERVERS`.',
      'Set the address in the code: `LIVEKIT_INFERENCE_URL` would redirect speech recognition, language models and voices too.',
    ],
  },
};
