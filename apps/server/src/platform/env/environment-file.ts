import { isUtf8 } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { UnusableSettings } from './unusable-settings.ts';

/** Read from the project's directory unless SIMCUBE_ENV_FILE names another file. */
const defaultFileName = 'simcube.env';

export interface Environment {
  /** From the process or, if not set there, from the file; an empty or blank value counts as not set. */
  values: Record<string, string>;
  /** The file that was read, or would have been if it existed. */
  file: string;
  /** Sentences for the operator. */
  warnings: string[];
}

/**
 * The environment of this process, completed by a file of `NAME=value` lines (as in Docker and systemd). The
 * process's own variables take precedence. If SIMCUBE_ENV_FILE is empty, no file is read.
 * @throws UnusableSettings when the named file is missing, or one of its lines can't be read
 */
export const readEnvironment = (source: NodeJS.ProcessEnv, projectRoot: string): Environment => {
  const configuredPath = source['SIMCUBE_ENV_FILE'];
  const file =
    configuredPath && isAbsolute(configuredPath)
      ? configuredPath
      : resolve(projectRoot, configuredPath || defaultFileName);
  const text = configuredPath === '' ? undefined : textOf(file, configuredPath !== undefined);
  const values = { ...(text !== undefined && valuesOf(text, file)), ...source };
  return {
    values: Object.fromEntries(
      Object.entries(values).flatMap(([name, value]) => (value?.trim() ? [[name, value]] : [])),
    ),
    file,
    warnings:
      text === undefined ? [] : [...(isOpen(file) ? [openWarning(file)] : []), ...repeatedNames(text, file)],
  };
};

const textOf = (file: string, isRequired: boolean): string | undefined => {
  try {
    const octets = readFileSync(file);
    if (!isUtf8(octets)) throw new UnusableSettings(`The settings in ${file} are not UTF-8`);
    // Drops the byte order mark of Windows editors, which would become part of the first name.
    return new TextDecoder().decode(octets);
  } catch (error) {
    if (error instanceof UnusableSettings) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && !isRequired) return undefined;
    throw new UnusableSettings(
      code === 'ENOENT'
        ? `SIMCUBE_ENV_FILE names ${file}, which does not exist`
        : `The settings in ${file} can't be read (${code})`,
    );
  }
};

const valuesOf = (text: string, file: string): NodeJS.Dict<string> => {
  // A line other than `NAME=value` must not be ignored silently, and its setting with it.
  text.split(/\r?\n/).forEach((line, index) => {
    if (/^\s*(#.*)?$/.test(line) || /^\s*(export\s+)?[A-Za-z_][A-Za-z0-9_]*\s*=/.test(line)) return;
    throw new UnusableSettings(`${file}, line ${index + 1}: expected NAME=value`);
  });
  return parseEnv(text);
};

const repeatedNames = (text: string, file: string): string[] => {
  const names = [...text.matchAll(/^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=/gm)].map(
    ([, name]) => name,
  );
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) < index));
  return [...repeated].map((name) => `${name} is set twice in ${file}: the last value is used`);
};

const isOpen = (file: string): boolean => process.platform !== 'win32' && (statSync(file).mode & 0o004) !== 0;

const openWarning = (file: string): string =>
  `${file} may contain secrets, and every user of this machine can read it: restrict it with chmod 600`;
