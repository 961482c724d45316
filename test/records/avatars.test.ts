import { describe, expect, test } from 'vitest';
import { avatarRecords } from '../../src/records/avatars.ts';

describe('the built-in avatars', () => {
  const avatars = avatarRecords();

  test('have one id, a name and a picture each', () => {
    const all = avatars.list();

    expect(all.map(({ name }) => name)).toEqual(['Nora', 'Theo']);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    for (const { pictureFile } of all) expect(pictureFile).toMatch(/\.webp$/);
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
    expect(avatars.find(alias)?.name).toBe(name);
  });

  test('are not found by what is none of them', () => {
    expect(avatars.find('nobody')).toBeNull();
    expect(avatars.find('')).toBeNull();
  });
});
