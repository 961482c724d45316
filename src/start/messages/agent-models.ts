import type { DefaultModels } from '#shared/process/default-models.ts';
import type { Config } from '../../config.ts';

const MOST_NAMED = 5;

/** Names the models of agents, and how to change them. */
export function agentModels(
  { thinks, hears, speaks, installed }: DefaultModels,
  config: Pick<Config, 'OLLAMA' | 'OLLAMA_MODEL'>,
): [what: string, change: string] {
  const speech = [
    ...(hears ? [`hear with ${hears}`] : []),
    `speak with ${speaks ?? 'the built-in voice'}`,
  ];
  if (!thinks) {
    const what = ['answer in the words of their files', ...speech].join(', ');
    return [what, `for a conversation: ${firstModel(installed, config)}`];
  }
  const { model, by } = thinks;
  const name = by === 'ollama' ? `${model} (Ollama)` : model;
  const what = [`think with ${name}`, ...speech].join(', ');
  return [what, by === 'ollama' ? otherModel(thinks.model, installed ?? [], config) : SETTING];
}

const SETTING = 'another model: set OPENAI_MODEL';

function firstModel(
  installed: DefaultModels['installed'],
  { OLLAMA }: Pick<Config, 'OLLAMA'>,
): string {
  if (OLLAMA === 'off') return 'set OPENAI_API_KEY or OPENAI_BASE_URL, or remove OLLAMA=off';
  return installed
    ? 'ollama pull llama3.2'
    : 'install Ollama (ollama.com) and run `ollama pull llama3.2`, or set OPENAI_API_KEY';
}

function otherModel(
  model: string,
  installed: readonly string[],
  { OLLAMA_MODEL: wanted }: Pick<Config, 'OLLAMA_MODEL'>,
): string {
  if (wanted !== undefined && wanted.replace(/:latest$/, '') !== model)
    return `OLLAMA_MODEL is not usable there: ollama pull ${wanted}`;
  const others = installed.filter((name) => name !== model);
  if (others.length === 0) return 'another model: ollama pull NAME, and set OLLAMA_MODEL=NAME';
  const named = others.slice(0, MOST_NAMED);
  const more = others.length > named.length ? ` and ${others.length - named.length} more` : '';
  return `another model: set OLLAMA_MODEL; installed: ${named.join(', ')}${more}`;
}
