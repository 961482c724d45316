import { code, table } from './tables.ts';

type Setting = { name: string; value: string; meaning: string };

/** Titles of the paragraphs of .env.example, by the first setting of each. */
const titles: Record<string, string> = {
  PORT: 'Addresses, limits and records',
  TROUPE_ADMIN_PASSWORD: 'Access and retention',
  LIVEKIT_URL: 'Media server',
  INFERENCE_MEDIA_SERVERS: 'Other vendors’ plugins',
  TROUPE_API_KEY: 'Keys, placement and workers',
  OPENAI_API_KEY: 'Models of agents',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'Traces and logs',
  TROUPE_URL: 'The command troupe',
};

/** The settings of .env.example, a table for each of its paragraphs. */
export function settings(example: string): string {
  return example
    .split(/\n\n+/)
    .map(readParagraph)
    .filter(([first]) => first)
    .map((group) => {
      const [{ name } = { name: '' }] = group;
      const title = titles[name];
      if (!title) throw new Error(`facts/settings.ts: no title for the settings from ${name} on`);
      return `## ${title}\n\n${tableOf(group)}`;
    })
    .join('\n\n');
}

/** A comment is about the settings that follow it until the next comment. */
function readParagraph(paragraph: string): Setting[] {
  const settings: Setting[] = [];
  let comment: string[] = [];
  let isRead = false;
  for (const line of paragraph.split('\n')) {
    const [, name, value = ''] = /^([A-Z_]+)=(.*)$/.exec(line) ?? [];
    if (line.startsWith('#')) {
      if (isRead) comment = [];
      isRead = false;
      comment.push(line.replace(/^# ?/, ''));
    } else if (name) {
      settings.push({ name, value, meaning: comment.join(' ') });
      isRead = true;
    }
  }
  return settings;
}

const tableOf = (group: Setting[]): string =>
  table(
    ['Setting', 'Meaning'],
    group.map(({ name, value, meaning }) => [
      code(name),
      // A column of its own would be too narrow for the values.
      value ? `${meaning} Default: ${code(value)}.` : meaning,
    ]),
  );
