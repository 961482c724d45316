/*
 * The environment of child processes. It lists the variables that they may see, because a list of
 * the hidden ones would miss secrets that are added later. Plain JavaScript, because the bootstrap
 * uses it before packages are installed, under any version of Node.
 */

/** Variables that every program may need. A name that ends with * stands for a prefix. */
const SYSTEM = [
  ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TMPDIR', 'TMP', 'TEMP', 'XDG_*'],
  ['LANG', 'LANGUAGE', 'LC_*', 'TZ', 'TERM', 'COLORTERM', 'NO_COLOR', 'FORCE_COLOR'],
  ['LD_LIBRARY_PATH', 'LD_PRELOAD', 'DYLD_*', 'MALLOC_*', 'OMP_*', 'CUDA_*', 'NVIDIA_*'],
  ['NODE_*', 'UV_THREADPOOL_SIZE', 'RUST_LOG', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
  ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'],
  ['SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'COMSPEC', 'PATHEXT', 'OS'],
  ['USERPROFILE', 'APPDATA', 'LOCALAPPDATA', 'PROGRAMDATA', 'PROGRAMFILES*'],
].flat();

export function childEnvironment(env, names = []) {
  const allowed = [...SYSTEM, ...names];
  // Windows and the proxies' names ignore case.
  const isAllowed = (name) =>
    allowed.some((entry) =>
      entry.endsWith('*')
        ? name.toUpperCase().startsWith(entry.slice(0, -1).toUpperCase())
        : name.toUpperCase() === entry.toUpperCase(),
    );
  return Object.fromEntries(Object.entries(env).filter(([name]) => isAllowed(name)));
}
