import type { DefaultModels } from '#shared/process/default-models.ts';
import type { ServiceModels } from './models.ts';
import type { Ollama } from './ollama.ts';

export async function defaultModels(
  service: Pick<ServiceModels, 'llm' | 'stt' | 'tts'>,
  ollama: Pick<Ollama, 'state'> | null,
): Promise<DefaultModels> {
  const state = (await ollama?.state()) ?? null;
  const speech = { hears: service.stt?.model ?? null, speaks: service.tts?.model ?? null };
  const installed = state?.installed ?? null;
  if (service.llm)
    return { thinks: { model: service.llm.model, by: 'service' }, ...speech, installed };
  const thinks = state?.model ? { model: state.model.name, by: 'ollama' as const } : null;
  return { thinks, ...speech, installed };
}
