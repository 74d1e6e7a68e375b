import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, migrate, renderTypes } from '../platform/db/index.ts';
import { startEmbedded } from '../platform/embedded/index.ts';
import { readEnv } from '../platform/env/index.ts';
import { createLog } from '../platform/log/index.ts';

// Writes platform/db/schema.gen.ts from a temporary database to which only the migrations were applied.
const { migrationsDir } = readEnv();
const directory = await mkdtemp(join(tmpdir(), 'simcube-types-'));
// Accessible to the database's user if this process is root.
await chmod(directory, 0o755);
const log = createLog({ level: 'warn', format: 'json' });
const server = await startEmbedded({ dataDir: directory, user: undefined, log, settings: { fsync: 'off' } });
const { pool, close } = connect({ url: server.url, max: 1, name: 'simcube types', onError: () => undefined });
await migrate(pool, migrationsDir);
await writeFile(new URL('../platform/db/schema.gen.ts', import.meta.url), await renderTypes(pool));
await close();
await server.stop();
await rm(directory, { recursive: true, force: true });
