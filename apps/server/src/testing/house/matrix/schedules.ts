import type { References, Sides } from './references.ts';

/** A scheduled SMS of each side; a call that removes one gets a new one each time. */
export const scheduleReferences = async ({
  test,
  own,
  foreign,
  sims,
}: Sides): Promise<Pick<References, 'scheduleId'>> => {
  const insertSchedule = async (
    orgId: number,
    sim: { id: number; iccid: string },
  ): Promise<string | undefined> => {
    const { rows } = await test.database.pool.query<{ id: string }>(
      `with made as (
         insert into schedules (org_id, name, content, timing, time_zone, only_failures, enabled, created_at, updated_at)
         values ($1, 'Status', '#STAT', '{"mode": "once", "at": "2030-01-01T06:30"}', 'UTC', false, false, $4, $4)
         returning id)
       insert into schedule_sims (schedule_id, sim_id, iccid) select id, $2, $3 from made
       returning schedule_id::text as id`,
      [orgId, sim.id, sim.iccid, test.clock.now()],
    );
    return rows[0]?.id;
  };
  const shared = await insertSchedule(own.id, sims.own);
  return {
    scheduleId: {
      own: (_, { id }) => (id === 'schedule.remove' ? insertSchedule(own.id, sims.own) : shared),
      foreign: await insertSchedule(foreign.id, sims.foreign),
    },
  };
};
