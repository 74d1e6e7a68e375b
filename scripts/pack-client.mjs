// `npm run pack:client -- [folder]`: packs the client and the contract as JavaScript with types, to install in other projects.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { root, runNpm, runOrExit } from './run.mjs';

const destination = resolve(process.argv[2] ?? '.');
const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'simcube-client-'));

/** The sources of both packages, without tests, as JavaScript with declarations. */
const compile = async () => {
  const config = {
    extends: join(root, 'tsconfig.base.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      rewriteRelativeImportExtensions: true,
      rootDir: join(root, 'packages'),
      outDir: folder,
      typeRoots: [join(root, 'node_modules/@types')],
    },
    include: ['contract', 'client'].map((name) => join(root, 'packages', name, 'src')),
    exclude: [join(root, 'packages/*/src/**/*.test.ts')],
  };
  const path = join(folder, 'tsconfig.json');
  writeFileSync(path, JSON.stringify(config));
  await runOrExit(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', path]);
};

const compiled = (source, extension) => source.replace('./src/', './dist/').replace(/\.ts$/, extension);

/** Makes the package and packs it. */
const pack = async (name) => {
  const directory = join(folder, name);
  const source = join(root, 'packages', name);
  const {
    private: _,
    devDependencies: __,
    exports,
    dependencies,
    ...manifest
  } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  renameSync(join(directory, 'src'), join(directory, 'dist'));
  const entries = Object.entries(exports).map(([path, file]) => [
    path,
    { types: compiled(file, '.d.ts'), default: compiled(file, '.js') },
  ]);
  const ours = dependencies['@simcube/contract'] ? { '@simcube/contract': version } : {};
  const packed = {
    ...manifest,
    version,
    license,
    exports: Object.fromEntries(entries),
    dependencies: { ...dependencies, ...ours },
  };
  writeFileSync(join(directory, 'package.json'), JSON.stringify(packed, null, 2));
  cpSync(join(root, 'LICENSE'), join(directory, 'LICENSE'));
  await runNpm(['pack', '--silent', '--pack-destination', destination], { cwd: directory });
};

mkdirSync(destination, { recursive: true });
try {
  await compile();
  for (const name of ['contract', 'client']) await pack(name);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
