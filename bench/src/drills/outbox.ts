import { withClient } from '../cluster.ts';
import type { Drill } from './drill.ts';
import { withInstallation } from './installation.ts';

/** No worker runs during the drill; then one has to do all the work. */
export const outbox: Drill = (run) =>
  withInstallation(run, {
    during: async ({ fleet, processes, until }) => {
      await processes.worker.kill();
      if (!until.aborted) await new Promise((resolve) => until.addEventListener('abort', resolve));
      const waiting = await withClient(fleet.databaseUrl, async (client) => {
        const { rows } = await client.query<{ facts: number; seconds: number; parts: number }>(
          `select count(*)::int as facts, extract(epoch from now() - min(created_at))::float8 as seconds,
             (select count(*)::int from sms_parts where state = 0) as parts from outbox`,
        );
        return rows[0];
      });
      await processes.worker.start();
      run.note(
        `${waiting?.facts} facts, the oldest ${Math.round(waiting?.seconds ?? 0)} s old, and ${waiting?.parts} messages waited ` +
          'for the worker.',
      );
    },
  });
