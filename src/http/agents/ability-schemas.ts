import Type, { type Static } from 'typebox';
import type { Abilities, ModelSource } from '#protocol/abilities.ts';

const ModelSource = Type.Object({
  by: Type.Enum(['external_api', 'service', 'ollama', 'built_in'], {
    type: 'string',
    description:
      '`external_api`: an external API of the account. `service`: the model configured for the service. `ollama`: a model that Ollama serves beside the service. `built_in`: what agent workers bring along.',
  }),
  model: Type.Union([Type.String(), Type.Null()], {
    description: 'Name of the model. Null if it is built in.',
  }),
});

const sourceOrNull = (description: string) =>
  Type.Union([ModelSource, Type.Null()], { description });

export const AbilitiesBody = Type.Object(
  {
    hears: sourceOrNull('Speech recognition. Null: the agent reads typed text only.'),
    thinks: sourceOrNull(
      'Language model. Null: the agent answers in the words of its knowledge files and instructions.',
    ),
    speaks: ModelSource,
    sees: Type.Boolean({
      description:
        "Whether the agent looks at the user's camera: it has the capability `webcam_vision`, and its language model sees. Ollama says so of its models. Others are taken to see until one has refused a picture.",
    }),
    languages: Type.Array(Type.String(), {
      description: 'Languages that its voice speaks. In others, the agent is shown as text only.',
    }),
    installing: Type.Array(Type.Enum(['natural_voice', 'speech_recognition'], { type: 'string' }), {
      description: 'Parts that `npm start` is installing for an agent like this.',
    }),
  },
  { $id: 'Abilities', description: 'What an agent can do in a call here.' },
);

export const toAbilitiesBody = ({
  languages,
  installing,
  ...abilities
}: Abilities): Static<typeof AbilitiesBody> => ({
  ...abilities,
  languages: [...languages],
  installing: [...installing],
});

const Engine = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

/** In every answer that holds an agent. */
export const AgentAbilities = Type.Object(
  {
    hears: Type.Boolean({ description: 'Whether it understands speech.' }),
    sees: Engine("The model that looks at the user's camera, like `thinks_with`. Null: none does."),
    thinks_with: Engine(
      'Name of its language model; `ollama/` and the name for a model of Ollama. Null: it answers in the words of its knowledge files and instructions.',
    ),
    speaks_with: Engine(
      'Name of its text-to-speech model, or `built-in voice`. Null: no voice here speaks its language, and text is shown.',
    ),
  },
  {
    $id: 'AgentAbilities',
    description: 'What the agent can do here now. In detail: the abilities of an agent.',
    examples: [
      { hears: true, sees: null, thinks_with: 'ollama/llama3.2', speaks_with: 'built-in voice' },
    ],
  },
);

export const toAgentAbilities = (
  { hears, sees, thinks, speaks, languages }: Abilities,
  language: string,
): Static<typeof AgentAbilities> => ({
  hears: hears !== null,
  sees: sees && thinks ? engineName(thinks) : null,
  thinks_with: thinks && engineName(thinks),
  speaks_with: languages.includes(language) ? engineName(speaks) : null,
});

function engineName({ by, model }: ModelSource): string {
  if (by === 'built_in') return 'built-in voice';
  return by === 'ollama' ? `ollama/${model}` : model;
}
