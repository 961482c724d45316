import { describe, expect, test } from 'vitest';
import { builtInAvatars } from '../../src/avatars/built-in-avatars.ts';

describe('the built-in avatars', () => {
  const avatars = builtInAvatars();

  test('have unique ids, names and pictures', () => {
    const builtIn = avatars.all();

    expect(builtIn.map(({ name }) => name)).toEqual(['Nora', 'Theo', 'Samuel', 'Ines']);
    expect(new Set(builtIn.map(({ id }) => id)).size).toBe(builtIn.length);
    for (const { id } of builtIn) expect(avatars.pictureFile(id)).toMatch(/\.webp$/);
    expect(avatars.list('anybody')).toEqual(builtIn);
  });

  test.each([
    ['nora', 'Nora'],
    ['NORA', 'Nora'],
    ['5c1e8a52-6f0b-4d3e-9a57-1b7d2f90c401', 'Nora'],
    ['694c83e2-8895-4a98-bd16-56332ca3f449', 'Nora'],
    ['b5bebaf9-ae80-4e43-b97f-4506136ed926', 'Nora'],
    ['theo', 'Theo'],
    ['b9be11b8-89fb-4227-8f86-4a881393cbdb', 'Theo'],
  ])('are found by %s', (alias, name) => {
    expect(avatars.find('anybody', alias)?.name).toBe(name);
  });

  test.each(['nobody', '', 'constructor'])('are not found by %o', (id) => {
    expect(avatars.find('anybody', id)).toBeNull();
    expect(avatars.pictureFile(id)).toBeNull();
  });
});
