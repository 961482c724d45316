/* Abilities of an agent in words, as `GET /v1/agents/{id}/abilities` answers them. */
import type { Abilities, ModelSource } from '#protocol/abilities.ts';

/** Labels with their texts, in the order of a conversation. */
export function abilityTexts({
  hears,
  thinks,
  speaks,
  sees,
  languages,
  installing,
}: Abilities): [label: string, text: string][] {
  return [
    ['Hears', hears ? sourceText(hears, EARS) : deafText(installing)],
    ['Thinks', thinks ? thoughtText(thinks) : NO_MODEL],
    ['Speaks', `${sourceText(speaks, 'the built-in English voice')}${voiceNote(installing)}`],
    ['Sees', sees ? 'The camera of the user' : 'No camera'],
    ['Languages', languageText(languages)],
  ];
}

const EARS = 'the speech recognition of the agent worker';
const NO_MODEL =
  'No: it quotes its instructions and files. For a conversation, run Ollama beside the service, set OPENAI_API_KEY, or choose an external API';
const OTHER_MODEL = 'For another model, set OLLAMA_MODEL or choose an external API';

const deafText = (installing: Abilities['installing']): string =>
  installing.includes('speech_recognition')
    ? 'Not yet: speech recognition is being installed. Until then, it reads typed text'
    : 'No: it reads typed text. Speech recognition is not set up';

const voiceNote = (installing: Abilities['installing']): string =>
  installing.includes('natural_voice') ? '. A natural voice is being installed' : '';

const sourceText = ({ by, model }: ModelSource, builtIn: string): string => {
  switch (by) {
    case 'built_in':
      return `With ${builtIn}`;
    case 'service':
      return `With ${model}, set up for the service`;
    case 'ollama':
      return `With ${model} from Ollama`;
    case 'external_api':
      return `With ${model}, from your external API`;
  }
};

function thoughtText(source: ModelSource): string {
  const text = sourceText(source, 'the agent worker');
  return source.by === 'ollama' ? `${text}. ${OTHER_MODEL}` : text;
}

const languageNames = new Intl.DisplayNames(['en'], { type: 'language' });

/** Regional forms of one language count once. */
function languageText(codes: readonly string[]): string {
  const bases = new Set(codes.map((code) => code.split('-')[0] ?? code));
  if (bases.size > 3) return `${bases.size} languages`;
  return [...bases].map((code) => languageNames.of(code) ?? code).join(', ');
}
