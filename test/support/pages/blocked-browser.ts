/* Takes abilities from a browser. Each function runs in the page before its scripts. */

/** Site data are blocked by a setting. */
export function blockSiteData(): void {
  for (const name of ['localStorage', 'sessionStorage', 'indexedDB'])
    Object.defineProperty(window, name, {
      get() {
        throw new DOMException('The operation is insecure.', 'SecurityError');
      },
    });
}

/** Pages may not write to the clipboard. People may. */
export function blockClipboard(): void {
  Object.defineProperty(navigator, 'clipboard', { value: undefined });
  document.execCommand = () => false;
}
