import type { Transcript } from '../transcript.ts';
import { Engine, root } from './engine.ts';
import { makeBaseImages, makeServiceImages } from './stand-ins.ts';

export const imageOf = (target: string): string => `troupe/${target}:test`;

type BuildOptions = {
  /** The stand-ins for the other images of compose.yaml, too. */
  services?: boolean;
  /** Targets that are built once more without speech, and tagged `silent-TARGET`. */
  silent?: string[];
};

/** Builds targets of deploy/Dockerfile. */
export async function buildImages(
  transcript: Transcript,
  targets: string[],
  { services = false, silent = [] }: BuildOptions = {},
): Promise<void> {
  const engine = await transcript.step('start Docker Engine', () => Engine.start());
  try {
    await transcript.step('make base images', () => makeBaseImages(engine));
    if (services) await transcript.step('make service images', () => makeServiceImages(engine));
    const order = { dockerfile: 'deploy/Dockerfile', context: root };
    for (const target of targets)
      await transcript.step(`build ${target}`, () =>
        engine.build({ ...order, target, tag: imageOf(target) }),
      );
    for (const target of silent)
      await transcript.step(`build ${target} without speech`, () =>
        engine.build({
          ...order,
          target,
          tag: imageOf(`silent-${target}`),
          args: { SPEECH: 'none' },
        }),
      );
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
