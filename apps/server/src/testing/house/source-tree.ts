import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root. */
export const projectRoot = fileURLToPath(new URL('../../../../../', import.meta.url)).replace(/\/$/, '');

export interface SourceFile {
  /** From the root, with forward slashes. */
  path: string;
  text: string;
}

const isText = (path: string): boolean => !/\.(png|jpe?g|gif|ico|woff2?|gz|bin|pcap)$/.test(path);

/** Files that git knows or would add: what is ignored (dependencies, builds, data) is no source. */
export const sourceFiles = (matches: (path: string) => boolean = () => true): SourceFile[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: projectRoot,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
    .split('\0')
    .filter((path) => path !== '' && isText(path) && matches(path) && existsSync(join(projectRoot, path)))
    .map((path) => ({ path, text: readFileSync(join(projectRoot, path), 'utf8') }));

/** Lines of the files that match, as `path:line: text`. */
export const linesThat = (files: readonly SourceFile[], matches: (line: string) => boolean): string[] =>
  files.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, index) => (matches(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
  );

export const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path) || path.includes('/testing/');
