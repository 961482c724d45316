import { expect, test } from 'vitest';
import { commands, readUsage } from '../../../../src/web/docs/facts/commands.ts';

const source = (usage: string): string => `readCommand({\n  usage: \`${usage}\`,\n});`;

test('a command is known by its usage text', () => {
  expect(readUsage(source('Usage: npm run key -- --name NAME\n\nMakes a \\`key\\`.'))).toEqual({
    name: 'key',
    usage: 'Usage: npm run key -- --name NAME\n\nMakes a `key`.',
  });
});

test('a program without a text, or with one that a program makes, is left out', () => {
  expect(readUsage('export {};')).toBeNull();
  expect(readUsage(source('Usage: npm run x\n\n${more}'))).toBeNull();
});

test('commands are listed by name', () => {
  const text = commands([source('Usage: npm run b'), source('Usage: npm run a')]);

  expect(text).toBe(
    '## npm run a\n\n```text\nUsage: npm run a\n```\n\n## npm run b\n\n```text\nUsage: npm run b\n```',
  );
});
