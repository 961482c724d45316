import { describe, expect, test } from 'vitest';
import { createLog } from '#shared/log.ts';
import { abilitiesIn, NO_MODELS, type AbilitiesParts } from '../../src/calls/abilities.ts';
import { PictureRefusals } from '../../src/calls/models/picture-refusals.ts';
import { TestClock } from '../support/test-clock.ts';

const nothing: AbilitiesParts['service'] = { llm: null, stt: null, tts: null };
const endpoint = { url: 'https://models.example/v1', key: null };
const everything: AbilitiesParts['service'] = {
  llm: { ...endpoint, model: 'thinker', temperature: null },
  stt: { ...endpoint, model: 'listener' },
  tts: { ...endpoint, model: 'speaker', voice: 'alloy' },
};

const log = createLog({ name: 'test', level: 'silent' });
const pictureRefusals = new PictureRefusals();
const partsWith = (parts: Partial<AbilitiesParts>): AbilitiesParts => ({
  service: nothing,
  ollama: null,
  canRecognize: deaf,
  installing: async () => [],
  pictureRefusals,
  clock: new TestClock(),
  log,
  ...parts,
});

const abilities = async (
  service: AbilitiesParts['service'],
  agent = NO_MODELS,
  canRecognize: AbilitiesParts['canRecognize'] = deaf,
  ollama: AbilitiesParts['ollama'] = null,
) => (await abilitiesIn(partsWith({ service, ollama, canRecognize }))(null))(agent);

const ollamaWith = (...capabilities: string[]): AbilitiesParts['ollama'] => ({
  state: async () => ({
    model: { name: 'llama3.2', capabilities, loadedUntil: null },
    installed: ['llama3.2'],
  }),
});

const deaf = async () => () => false;

const inGerman = async () => (language: string) => language === 'de';

const ears = async (canRecognize: boolean, ...capabilities: string[]) => {
  const ollama = ollamaWith(...capabilities);
  return (await abilities(nothing, NO_MODELS, async () => () => canRecognize, ollama)).hears;
};

const allParts: AbilitiesParts['installing'] = async () => ['natural_voice', 'speech_recognition'];

const installingFor = async (service: AbilitiesParts['service'], language: string) => {
  const of = await abilitiesIn(partsWith({ service, installing: allParts }))(null);
  return of({ ...NO_MODELS, language }).installing;
};

const unanswered = () => new Promise<never>(() => {});

describe('the abilities of an agent', () => {
  test('are text and an English voice without any model', async () => {
    expect(await abilities(nothing)).toEqual({
      hears: null,
      thinks: null,
      speaks: { by: 'built_in', model: null },
      sees: false,
      languages: ['en', 'en-AU', 'en-GB', 'en-US'],
      installing: [],
    });
  });

  test('are those of the models of the service', async () => {
    const { hears, thinks, speaks, languages } = await abilities(everything);

    expect([hears, thinks, speaks]).toEqual([
      { by: 'service', model: 'listener' },
      { by: 'service', model: 'thinker' },
      { by: 'service', model: 'speaker' },
    ]);
    expect(languages).toContain('ja');
  });

  test('are those of its own external APIs first', async () => {
    const ownModel = { type: 'openai_compatible', apiId: 'api' } as const;
    const agent = {
      ...NO_MODELS,
      llm: { ...ownModel, model: 'own thinker', temperature: 1 },
      stt: { ...ownModel, model: 'own listener' },
      tts: { ...ownModel, model: 'own speaker', voice: null },
    };

    const { hears, thinks, speaks } = await abilities(everything, agent);

    expect([hears, thinks, speaks]).toEqual([
      { by: 'external_api', model: 'own listener' },
      { by: 'external_api', model: 'own thinker' },
      { by: 'external_api', model: 'own speaker' },
    ]);
  });

  test('hold no OpenAI model that the service has not', async () => {
    const { thinks } = await abilities(nothing, { ...NO_MODELS, llm: { type: 'openai' } });

    expect(thinks).toBeNull();
  });

  test('include the speech recognition of agent workers, for its languages', async () => {
    const { hears } = await abilities(nothing, { ...NO_MODELS, language: 'de' }, inGerman);
    const { hears: english } = await abilities(nothing, NO_MODELS, inGerman);

    expect(hears).toEqual({ by: 'built_in', model: null });
    expect(english).toBeNull();
  });

  test('leave hearing out while the fleet does not answer', async () => {
    const { hears } = await abilities(nothing, NO_MODELS, async () => {
      throw new Error('no answer');
    });

    expect(hears).toBeNull();
  });

  test('are those of Ollama without models of the service', async () => {
    const { hears, thinks } = await abilities(
      nothing,
      NO_MODELS,
      async () => () => false,
      ollamaWith('completion', 'audio'),
    );

    expect(thinks).toEqual({ by: 'ollama', model: 'llama3.2' });
    expect(hears).toEqual({ by: 'ollama', model: 'llama3.2' });
  });

  test('hear with the agent worker before Ollama, and not with a model that cannot', async () => {
    expect(await ears(true, 'completion', 'audio')).toEqual({ by: 'built_in', model: null });
    expect(await ears(false, 'completion')).toBeNull();
  });

  test('include sight if the agent wants it and its model sees', async () => {
    const sight = { ...NO_MODELS, capabilities: [{ type: 'webcam_vision' as const }] };

    const answers = await Promise.all([
      abilities(everything, sight),
      abilities(everything, NO_MODELS),
      abilities(nothing, sight),
      abilities(nothing, sight, deaf, ollamaWith('completion', 'vision')),
      abilities(nothing, sight, deaf, ollamaWith('completion')),
    ]);

    expect(answers.map(({ sees }) => sees)).toEqual([true, false, false, true, false]);
  });

  test('lack sight with a model that has refused a picture, wherever it is used', async () => {
    const ownModel = {
      type: 'openai_compatible',
      apiId: 'blind',
      model: 'm',
      temperature: 1,
    } as const;
    const sight = {
      ...NO_MODELS,
      capabilities: [{ type: 'webcam_vision' as const }],
      llm: ownModel,
    };
    pictureRefusals.add(ownModel, 'm');

    const answers = await Promise.all([
      abilities(nothing, sight),
      abilities(nothing, { ...sight, llm: { ...ownModel, model: 'larger' } }),
      abilities(nothing, { ...sight, llm: { ...ownModel, apiId: 'other' } }),
    ]);

    expect(answers.map(({ sees }) => sees)).toEqual([false, true, true]);
  });

  test('say what is being installed, to agents that will have it', async () => {
    expect(await installingFor(nothing, 'en-GB')).toEqual(['natural_voice', 'speech_recognition']);
    expect(await installingFor(nothing, 'de')).toEqual([]);
    expect(await installingFor(everything, 'en')).toEqual([]);
  });

  test('ask the fleet once for all agents of an account', async () => {
    let asked = 0;
    const canRecognize = async () => {
      asked++;
      return () => true;
    };
    const of = await abilitiesIn(partsWith({ canRecognize }))(null);

    expect([of(NO_MODELS), of(NO_MODELS)].every(({ hears }) => hears !== null)).toBe(true);
    expect(asked).toBe(1);
  });

  test('wait a second at most for a fleet that does not answer', async () => {
    const clock = new TestClock();
    const answer = abilitiesIn(partsWith({ canRecognize: unanswered, clock }))(null);
    clock.advance(1_000);

    expect((await answer)(NO_MODELS).hears).toBeNull();
  });
});
