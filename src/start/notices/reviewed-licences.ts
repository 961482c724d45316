/** Licences that ask only for their text, which every package carries. */
export const PERMISSIVE: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  '(Apache-2.0 AND BSD-3-Clause)',
  '(AFL-2.1 OR BSD-3-Clause)',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT OR Apache-2.0',
  'Unlicense',
]);

const LIBVIPS =
  'libvips, a shared library that sharp loads and that another build can replace. Unmodified. Troupe and @livekit/agents read and write pictures with it.';

/**
 * Licences that ask for more, and how Troupe meets that. A licence in neither list fails
 * `npm run check`.
 */
export const REVIEWED: Readonly<Record<string, string>> = {
  'BSD-4-Clause':
    'The small voice: Flite. The package is labelled so, but its COPYING is the BSD-like licence of Carnegie Mellon University, whose fourth clause forbids endorsement; there is no advertising clause. Nothing better runs in a browser without a server: the natural voice needs Python.',
  'LGPL-2.1-or-later':
    'FFmpeg as a program of its own, started by @livekit/agents. Unmodified, built without GPL and nonfree parts, for royalty-free audio only; its NOTICE names the sources. Another FFmpeg can replace it.',
  'LGPL-3.0':
    'libheif with libde265, a WebAssembly module that enrolment loads and that another build can replace. Unmodified. It reads the HEIC pictures of telephones, which nothing with a freer licence does.',
  'LGPL-3.0-or-later': LIBVIPS,
  'Apache-2.0 AND LGPL-3.0-or-later': LIBVIPS,
  'Apache-2.0 AND LGPL-3.0-or-later AND MIT': LIBVIPS,
  'Apache-2.0 AND LicenseRef-LiveKit-Model':
    "LiveKit's end-of-turn model and Silero's voice activity model (MIT). LiveKit's model may be used only together with the LiveKit Agents framework, and not to develop other models. Troupe uses the voice activity model, and that framework, and no other part. @livekit/agents brings it; Troupe's sources contain none of it.",
  'MPL-2.0':
    'The style sheet compiler of Vite. Unmodified, and used only while the pages are built: the pages contain none of it.',
  'OFL-1.1':
    'The typeface of the pages: served unmodified, under its own name, and not sold by itself.',
};

/** Packages whose entry in the lockfile names no licence. */
export const UNNAMED: Readonly<Record<string, string>> = {
  // Its package.json has the older field `licenses`.
  async: 'MIT',
};

/** What is in the repository or downloaded at the start, and not from npm. */
export const ELSEWHERE: readonly (readonly [what: string, terms: string])[] = [
  [
    'LiveKit server, downloaded or built by `npm start` if none is installed',
    'Apache-2.0, copyright LiveKit, Inc.',
  ],
  [
    'hibari-tts, the natural voice with its model, installed by `npm start` if there is Python',
    'Apache-2.0; distilled from Kokoro-82M (Apache-2.0). The four built-in voices are made from it, and so are the recordings in workers/agent/voices/recordings. It needs numpy (BSD-3-Clause), onnxruntime (MIT), protobuf (BSD-3-Clause), flatbuffers (Apache-2.0) and packaging (Apache-2.0 OR BSD-2-Clause).',
  ],
  [
    'Moonshine tiny-en, the model by which agents hear, from the package moonshine-voice, installed by `npm start` if there is Python',
    'MIT, copyright Moonshine AI.',
  ],
  [
    'Smart Turn, a model that tells the end of a turn, from the package pipecat-ai, installed with it',
    'BSD-2-Clause, copyright Daily.',
  ],
  [
    'sherpa-onnx and sherpa-onnx-core, which run the speech models of other languages, installed by `troupe speech install`',
    'Apache-2.0, copyright the authors of sherpa-onnx. `troupe speech list` names the models with their licences.',
  ],
  [
    'Parts of Starlight, Expressive Code and Pagefind in the pages under /docs, which Astro builds',
    'MIT, copyright the authors of Astro, Starlight, Expressive Code and Pagefind (CloudCannon). src/web/docs/site/package-lock.json names the packages of the build.',
  ],
  [
    'Character maps of Adobe, in the form of PDF.js, src/knowledge/pdf-text/character-maps.br',
    'BSD-3-Clause, copyright 1990-2009 Adobe Systems Incorporated. Unchanged.',
  ],
  [
    'MediaPipe Selfie Segmentation, workers/enrolment/background/selfie',
    'Apache-2.0, copyright The MediaPipe Authors. Weights unchanged, converted to TensorFlow.js.',
  ],
  [
    'BlazeFace, Face Mesh and Iris of MediaPipe, workers/enrolment/face/models',
    'Apache-2.0, copyright The MediaPipe Authors. Weights unchanged, converted to TensorFlow.js.',
  ],
];
