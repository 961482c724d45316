import path from 'node:path';

const PYTHON = process.platform === 'win32' ? ['Scripts', 'python.exe'] : ['bin', 'python'];

/** The interpreter of an environment that `python -m venv` made. */
export const venvPython = (folder: string): string => path.join(folder, ...PYTHON);
