import { useSay } from '../parts/notices.tsx';
import { useWrite } from '../service/queries.ts';
import { call as ask } from '../service/service.ts';
import type { Call, CallMessages } from '../../../clients/typescript/src/generated/models.ts';
import { texts } from '../texts/texts.ts';
import { asText, fileNameOf } from './transcript-text.ts';

const t = texts.conversations;

/** Saves the call with its transcript, as it is now, in a file of this computer. */
export function ExportButtons({ call, agentName }: { call: Call; agentName: string }) {
  const say = useSay();
  const path = `/v1/calls/${call.id}`;
  const save = useWrite(async (format: 'json' | 'txt') => {
    const [current, messages] = await Promise.all([
      ask<Call>('GET', path),
      ask<CallMessages>('GET', `${path}/messages`),
    ]);
    const text =
      format === 'json'
        ? `${JSON.stringify({ ...current, messages }, null, 2)}\n`
        : asText(current, messages, agentName);
    download(`${fileNameOf(call)}.${format}`, text);
  }, []);
  const onClick = (format: 'json' | 'txt') => () =>
    save.mutate(format, { onError: ({ message }) => say(message) });
  return (
    <>
      <button type="button" className="button button-small" onClick={onClick('txt')}>
        {t.saveText}
      </button>
      <button type="button" className="button button-small" onClick={onClick('json')}>
        {t.saveJson}
      </button>
    </>
  );
}

/** Some browsers read the file only after the click. */
const KEPT_MS = 60_000;

function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text]));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}
