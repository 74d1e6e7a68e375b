import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root. */
export const projectRoot = fileURLToPath(new URL('../../../../../', import.meta.url)).replace(/\/$/, '');

export interface SourceFile {
  /** Relative to the root, with forward slashes. */
  path: string;
  text: string;
}

const isText = (path: string): boolean => !/\.(png|jpe?g|gif|ico|woff2?|gz|bin|pcap)$/.test(path);

/**
 * What .gitignore names (dependencies, builds, data) is not source. The file is read directly: git may be
 * absent, or refuse the directory's owner.
 */
const ignored = readFileSync(join(projectRoot, '.gitignore'), 'utf8')
  .split('\n')
  .map((line) => line.trim())
  .filter((line) => line !== '' && !line.startsWith('#'));
const ignoredDirectories = new Set([
  '.git',
  ...ignored.filter((line) => line.endsWith('/')).map((line) => line.slice(0, -1)),
]);
const ignoredEndings = ignored.filter((line) => line.startsWith('*.')).map((line) => line.slice(1));

const pathsBelow = (directory: string): string[] =>
  readdirSync(join(projectRoot, directory), { withFileTypes: true }).flatMap((entry) => {
    const path = directory ? `${directory}/${entry.name}` : entry.name;
    // In a linked work tree, .git is a file.
    if (ignoredDirectories.has(entry.name) || ignoredDirectories.has(path)) return [];
    if (entry.isDirectory()) return pathsBelow(path);
    return entry.isFile() && !ignoredEndings.some((ending) => path.endsWith(ending)) ? [path] : [];
  });

export const sourceFiles = (matches: (path: string) => boolean = () => true): SourceFile[] =>
  pathsBelow('')
    .filter((path) => isText(path) && matches(path))
    .map((path) => ({ path, text: readFileSync(join(projectRoot, path), 'utf8') }));

/** Lines of the files that match, as `path:line: text`. */
export const linesThat = (files: readonly SourceFile[], matches: (line: string) => boolean): string[] =>
  files.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, index) => (matches(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
  );

export const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path) || path.includes('/testing/');
