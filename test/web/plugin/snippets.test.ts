import { describe, expect, test } from 'vitest';
import { linesOf, snippetsFor, textOf } from '../../../src/web/plugin/snippets.ts';

const snippets = snippetsFor('http://localhost:8080', { id: 'avatar-1', name: 'Nora' });
const code = (name: string) => {
  const snippet = snippets.find((one) => one.name === name);
  return snippet ? textOf(snippet) : '';
};

describe('lines for a plugin', () => {
  test('Python has the plugin’s own setting names', () => {
    expect(code('Python')).toContain('api_url="http://localhost:8080",');
    expect(code('Python')).toContain('api_key="YOUR_KEY",');
    expect(code('Python')).toContain('avatar_id="avatar-1",  # Nora');
  });

  test('Node has the plugin’s own setting names', () => {
    expect(code('Node')).toContain("apiUrl: 'http://localhost:8080',");
    expect(code('Node')).toContain("avatarId: 'avatar-1', // Nora");
  });

  test('the address has no path: the plugins add theirs', () => {
    expect(code('Env')).toBe('BEY_API_URL=http://localhost:8080\nBEY_API_KEY=YOUR_KEY\n');
  });

  test('what is copied has no marks, what is shown says which lines are new', () => {
    for (const snippet of snippets) {
      expect(textOf(snippet)).not.toMatch(/^[+] /m);
      expect(linesOf(snippet).some(({ isNew }) => isNew)).toBe(true);
    }
  });
});
