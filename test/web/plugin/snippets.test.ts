import { describe, expect, test } from 'vitest';
import { ownSnippets } from '../../../src/web/plugin/own-snippets.ts';
import { linesOf, snippetsFor, textOf, withKey } from '../../../src/web/plugin/snippets.ts';

const snippets = snippetsFor('http://localhost:8080', { id: 'avatar-1', name: 'Mira' });
const code = (name: string) => {
  const snippet = snippets.find((each) => each.name === name);
  return snippet ? textOf(snippet) : '';
};

describe('plugin snippets', () => {
  test('Python code uses the plugin’s setting names', () => {
    expect(code('Python')).toContain('api_url="http://localhost:8080",');
    expect(code('Python')).toContain('api_key="YOUR_KEY",');
    expect(code('Python')).toContain('avatar_id="avatar-1",  # Mira');
  });

  test('Node code uses the plugin’s setting names', () => {
    expect(code('Node')).toContain("apiUrl: 'http://localhost:8080',");
    expect(code('Node')).toContain("avatarId: 'avatar-1', // Mira");
  });

  test('the address has no path, since plugins add their own', () => {
    expect(code('Env')).toBe('BEY_API_URL=http://localhost:8080\nBEY_API_KEY=YOUR_KEY\n');
  });

  test('exist for our own plugin and for the interface of LiveKit Agents', () => {
    const [python, node, builtIn] = ownSnippets('http://localhost:8080', {
      id: 'one',
      name: 'Mira',
    });

    expect(textOf(python!)).toContain('api_key="YOUR_KEY",');
    expect(textOf(node!)).toContain("avatarId: 'one', // Mira");
    expect(textOf(builtIn!)).toContain('base_url="http://localhost:8080/compat/inference"');
  });

  test('hold a key, once there is one', () => {
    const [python] = withKey(snippets, 'troupe_key');

    expect(textOf(python!)).toContain('api_key="troupe_key",');
    expect(withKey(snippets, '')).toEqual(snippets);
  });

  test('copied text has no marks, and shown lines say which are new', () => {
    const own = ownSnippets('http://localhost:8080', { id: 'one', name: 'Mira' });
    for (const snippet of [...snippets, ...own]) {
      expect(textOf(snippet)).not.toMatch(/^[+] /m);
      expect(linesOf(snippet).some(({ isNew }) => isNew)).toBe(true);
    }
  });
});
