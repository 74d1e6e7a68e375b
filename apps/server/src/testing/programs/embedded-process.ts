import { startEmbedded } from '../../platform/embedded/index.ts';
import { createLog } from '../../platform/log/index.ts';

/** Starts or joins the embedded database of a directory; then `die`s as by a crash, or `stop`s it as at the end. */
const [dataDir = '', end = ''] = process.argv.slice(2);
const database = await startEmbedded({
  dataDir,
  user: undefined,
  log: createLog({ level: 'silent', format: 'json' }),
});
if (end === 'die') process.kill(process.pid, 'SIGKILL');
await database.stop();
