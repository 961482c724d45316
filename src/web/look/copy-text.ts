/** Call it in a click handler. False: the browser does not permit it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Missing on pages without https, or blocked.
    return copySelection(text);
  }
}

function copySelection(text: string): boolean {
  const active = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'unseen';
  document.body.append(field);
  field.focus();
  field.select();
  try {
    return document.execCommand('copy');
  } finally {
    field.remove();
    if (active instanceof HTMLElement) active.focus();
  }
}
