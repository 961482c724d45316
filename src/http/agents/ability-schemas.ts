import Type, { type Static } from 'typebox';
import type { Abilities } from '#protocol/abilities.ts';

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
    sees: Type.Boolean({ description: "Whether the agent looks at the user's camera." }),
    languages: Type.Array(Type.String(), {
      description: 'Languages that its voice speaks. In others, the agent is shown as text only.',
    }),
  },
  { $id: 'Abilities', description: 'What an agent can do in a call here.' },
);

export const toAbilitiesBody = ({
  languages,
  ...abilities
}: Abilities): Static<typeof AbilitiesBody> => ({ ...abilities, languages: [...languages] });
