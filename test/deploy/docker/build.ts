import type { Transcript } from '../transcript.ts';
import { Engine, root } from './engine.ts';
import { makeBaseImages, makeServiceImages } from './stand-ins.ts';

export const imageOf = (target: string): string => `troupe/${target}:test`;

/**
 * Builds targets of deploy/Dockerfile, and with `services` the stand-ins for the other images of
 * compose.yaml.
 */
export async function buildImages(
  transcript: Transcript,
  targets: string[],
  { services = false } = {},
): Promise<void> {
  const engine = await transcript.step('start Docker Engine', () => Engine.start());
  try {
    await transcript.step('make base images', () => makeBaseImages(engine));
    if (services) await transcript.step('make service images', () => makeServiceImages(engine));
    for (const target of targets) {
      await transcript.step(`build ${target}`, () =>
        engine.build({
          dockerfile: 'deploy/Dockerfile',
          target,
          tag: imageOf(target),
          context: root,
        }),
      );
    }
  } finally {
    await engine.close();
  }
}

export async function startEngine(transcript: Transcript, namespace: string): Promise<Engine> {
  const engine = await transcript.step('start Docker Engine in its own network', () =>
    Engine.start(namespace),
  );
  transcript.atEnd('stop Docker Engine', () => engine.close());
  return engine;
}
