import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { root, runOrExit, say } from './run.mjs';
import { checkNode, filesBelow, install, whenChanged } from './setup.mjs';

/** Installs missing packages, and bundles what changed. */
export const build = async () => {
  checkNode();
  await install();
  await buildProducts();
};

/** Bundles the programs and the console, each only when its sources changed. */
export const buildProducts = async () => {
  for (const product of products) await whenChanged(product);
};

/** Precompresses files, so that the server need not compress them at every request. */
const compressBelow = (directory) => {
  for (const name of filesBelow(directory)) {
    if (!/\.(js|css|html|svg)$/.test(name)) continue;
    const path = join(directory, name);
    const content = readFileSync(path);
    if (content.length < 1024) continue;
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
    writeFileSync(`${path}.br`, brotliCompressSync(content, quality));
    writeFileSync(`${path}.gz`, gzipSync(content));
  }
};

const buildConsole = async (directory) => {
  say('Building the console …');
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  await runOrExit(process.execPath, [vite, 'build', '--logLevel', 'warn', '--outDir', directory], {
    cwd: join(root, 'apps/web'),
    // Tests use the production build, without React's development checks.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  compressBelow(directory);
};

const bundle =
  (workspace, entryPoints, output = 'dist') =>
  async (directory) => {
    say(`Building ${workspace} …`);
    const { build: bundleWith, stop } = await import('esbuild');
    const outdir = join(root, workspace, output);
    try {
      // Written here, not by esbuild, so that source maps are relative to the final location of the files.
      const { outputFiles } = await bundleWith({
        absWorkingDir: join(root, workspace),
        entryPoints,
        outdir,
        write: false,
        bundle: true,
        platform: 'node',
        format: 'esm',
        target: 'node20',
        sourcemap: true,
        // Every process keeps its source maps in memory: including the source text would add 25 MB.
        sourcesContent: false,
        logLevel: 'warning',
        plugins: [externalPackages],
      });
      for (const { path, contents } of outputFiles) {
        const target = join(directory, relative(outdir, path));
        mkdirSync(dirname(target), { recursive: true });
        writeFileSync(target, contents);
      }
    } finally {
      // Otherwise esbuild's service process would keep running next to the product.
      await stop();
    }
  };

/** Packages of about a hundred small modules each, which a program would otherwise find, read and compile one by one at each start. */
const bundledPackages = ['csv-parse', 'fastify-type-provider-zod', 'kysely', 'nodemailer', 'zod'];

/**
 * Our own packages are TypeScript and are bundled. Packages from the registry, except a few, are not; they are imported only by
 * the programs that use them.
 */
const externalPackages = {
  name: 'external-packages',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, ({ path }) =>
      path.startsWith('@simcube/') || path.startsWith('/') || bundledPackages.includes(packageOf(path))
        ? undefined
        : { path, external: true, sideEffects: false },
    );
  },
};

const packageOf = (path) =>
  path
    .split('/')
    .slice(0, path.startsWith('@') ? 2 : 1)
    .join('/');

const server = {
  name: 'server',
  sources: ['apps/server/src', 'apps/network-sim/src', 'packages'],
  output: 'apps/server/dist',
  make: bundle('apps/server', {
    server: 'src/main/server.ts',
    cli: 'src/main/cli.ts',
    'openapi-worker': 'src/platform/http/openapi/openapi.worker.ts',
    'table-worker': 'src/platform/files/table.worker.ts',
    'bill-pdf-worker': 'src/modules/finance/pdf/bill-pdf.worker.ts',
  }),
};

const networkSim = {
  name: 'network-sim',
  sources: ['apps/network-sim/src', 'packages'],
  output: 'apps/network-sim/dist',
  // At the same depth as its source, so that the relative path of the scenarios is the same.
  make: bundle('apps/network-sim', { 'main/network-sim': 'src/main/network-sim.ts' }),
};

const products = [
  server,
  networkSim,
  {
    name: 'console',
    sources: ['apps/web', 'docs/guide', 'packages/contract', 'packages/phrases'],
    output: 'apps/web/dist',
    make: buildConsole,
  },
];

const testing = 'src/testing';

/** Programs that tests start as separate processes: bundled, each starts in a quarter of the time. */
const testPrograms = {
  name: 'test-programs',
  sources: server.sources,
  output: `apps/server/${testing}/dist`,
  make: (directory) => bundle('apps/server', testProgramSources(), `${testing}/dist`)(directory),
};

const testProgramSources = () =>
  Object.fromEntries(
    readdirSync(join(root, 'apps/server', testing, 'programs')).map((file) => [
      basename(file, '.ts'),
      `${testing}/programs/${file}`,
    ]),
  );

/** Builds the programs that tests start, without the console. */
export const buildForTests = async () => {
  for (const product of [server, networkSim, testPrograms]) await whenChanged(product);
};

if (import.meta.url === pathToFileURL(process.argv[1]).href) await build();
