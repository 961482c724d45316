import type { VendorAdapter } from '../vendor-adapter.ts';

export const ojin: VendorAdapter = {
  word: 'ojin',
  name: 'Ojin',
  key: [{ header: 'authorization' }],
  calls: [
    {
      does: 'connect',
      path: '',
      protocol: 'ojin',
      avatar: ['config_id'],
      inRoom: { field: 'webrtc_provider', is: 'livekit' },
      room: { url: 'webrtc_room_url', token: 'x-ojin-webrtc-token' },
      sampleRate: 'webrtc_audio_sample_rate',
      known: ['webrtc_provider', 'webrtc_audio_sample_rate', 'webrtc_version'],
    },
  ],
  docs: {
    pipecat: {
      package: 'pipecat-ojin',
      code: 'OjinVideoService(OjinVideoSettings(ws_url="{socket}", api_key="YOUR_KEY", config_id="nora"))',
    },
    differs: [
      'With `webrtc=WebRTCSettings(provider="livekit", room_url=..., token=...)`, the avatar joins your LiveKit room instead. Daily rooms are refused.',
      'After an interruption, the client fades out its own copy of the speech, for up to 0.75 seconds.',
      'The session’s data name the avatar and the unused settings: `avatar_id`, `is_default_avatar` and `unused`.',
    ],
  },
};
