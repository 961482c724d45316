// Browsers may block site data: reading `localStorage` then throws, which ends the scripts of the
// pages. They do without storage that is undefined.
for (const name of ['localStorage', 'sessionStorage']) {
  try {
    void window[name];
  } catch {
    Object.defineProperty(window, name, { value: undefined });
  }
}
