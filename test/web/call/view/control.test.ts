import { afterEach, expect, test, vi } from 'vitest';
import { Control } from '../../../../src/web/call/view/control.ts';
import { stubDocument, type FakeElement } from '../../../support/fake-document.ts';

afterEach(() => vi.unstubAllGlobals());

test('a control that names its action has no pressed state, which would negate the name', () => {
  stubDocument();
  const control = new Control('microphone', '', () => {});

  control.show({ label: 'Mute', isOn: true });

  const { attributes } = control.button as unknown as FakeElement;
  expect(attributes.get('data-on')).toBe('true');
  expect(attributes.has('aria-pressed')).toBe(false);
});
