/*
 * The script /embed.js. Its name never changes, so browsers revalidate it. It only loads the
 * element, whose file browsers cache without limit. The media code imports the element too, and
 * both must get the same module, even if a page loads this script with a query.
 */
// Frameworks import it on their servers, too, which have no elements.
if (globalThis.customElements) void import('./define.ts');
