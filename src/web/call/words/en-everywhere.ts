/* English texts of a call that pages in English alone show, too: they load no others. */
import type { DeviceKind, DeviceProblem } from '../state/call-state.ts';

export const talk = (name: string): string => `Talk or type, and ${name} answers face to face.`;

export const localFirefox =
  'Firefox does not connect to a media server on its own machine. Use another browser, or set media.peerconnection.ice.loopback to true in about:config.';

export const deviceProblems: Record<DeviceKind, Record<DeviceProblem, string>> = {
  microphone: {
    denied:
      'Your microphone is blocked on this page. Allow it next to the address bar, then turn it on again.',
    missing: 'No microphone was found. Plug one in, then turn it on again.',
    in_use: 'The microphone could not be opened. Another program may be using it.',
    not_secure: 'Browsers allow the microphone on https pages only.',
    failed: 'The microphone could not be opened. Turn it on again.',
  },
  camera: {
    denied:
      'Your camera is blocked on this page. Allow it next to the address bar, then turn it on again.',
    missing: 'No camera was found. Plug one in, then turn it on again.',
    in_use: 'The camera could not be opened. Another program may be using it.',
    not_secure: 'Browsers allow the camera on https pages only.',
    failed: 'The camera could not be opened. Turn it on again.',
  },
};
