import { once } from 'node:events';
import pg from 'pg';
import { startEmbedded } from '../../platform/embedded/index.ts';
import { createLog } from '../../platform/log/index.ts';

/**
 * Starts or joins the embedded database of a directory; then `die` kills the process, `stop` stops the database
 * immediately, `later` stops it when its input ends, and `use` when a statement of half a second has ended.
 */
const [dataDir = '', end = ''] = process.argv.slice(2);
const database = await startEmbedded({
  dataDir,
  user: undefined,
  log: createLog({ level: 'silent', format: 'json' }),
});
if (end === 'later') {
  console.info('ready');
  await once(process.stdin.resume(), 'end');
}
if (end === 'use') {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('select pg_sleep(0.5)');
  await client.end();
}
if (end === 'die') process.kill(process.pid, 'SIGKILL');
await database.stop();
