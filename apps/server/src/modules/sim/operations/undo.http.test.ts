import { endpoints, limits } from '@simcube/contract';
import type { SimSelection } from '@simcube/contract/sim';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
} from '../../../testing/app.ts';
import { makeSim } from '../../../testing/inventory.ts';
import { runJobs } from '../../../testing/jobs.ts';
import { upload } from '../../../testing/upload.ts';

const { sim, task } = endpoints;

let test: TestApp;
let acme: { id: number; code: string; tenantId: string };
let branch: { id: number; code: string; tenantId: string };
let admin: TestClient;
let operator: TestClient;
let there: TestClient;

beforeAll(async () => {
  test = await testApp();
  acme = await makeOrganisation(test, { code: 'acme' });
  branch = await makeOrganisation(test, { code: 'branch' });
  admin = await signedInAs(test, 'admin', acme);
  operator = await signedInAs(test, 'operator', acme);
  there = await signedInAs(test, 'admin', branch);
  for (const [{ userId }, { id: orgId }] of [
    [admin, branch],
    [there, acme],
  ] as const) {
    await test.wiring.org.addMembership(test.database.pool, {
      userId,
      orgId,
      role: 'admin',
      oversight: false,
    });
  }
});
afterAll(() => test.close());

const make = (facts: Parameters<typeof makeSim>[2] = {}) => makeSim(test.database.pool, acme.id, facts);
const work = () => runJobs(test.database, test.wiring.jobs);
const query = async (text: string, values: unknown[] = []) =>
  (await test.database.pool.query(text, values)).rows;
const named = (...sims: { iccid: string }[]): SimSelection => ({ iccids: sims.map(({ iccid }) => iccid) });
const row = async ({ iccid }: { iccid: string }) =>
  (await query('select lifecycle, device_name, notes, tags from sims where iccid = $1', [iccid]))[0];
const eventsOf = async ({ iccid }: { iccid: string }) =>
  (
    await query(
      'select kind, facts, task_id from sim_events e join sims s on s.id = e.sim_id where iccid = $1 order by e.id',
      [iccid],
    )
  ).map(({ kind, facts, task_id: by }) => ({ kind, facts, by }));
/** Expects the organisation's counts to match its SIMs. */
const expectTrueCounts = async () => {
  expect(
    await query(
      'select lifecycle, sims from org_sim_counts where org_id = $1 and sims <> 0 order by lifecycle',
      [acme.id],
    ),
  ).toEqual(
    await query('select lifecycle, count(*) as sims from sims where org_id = $1 group by 1 order by 1', [
      acme.id,
    ]),
  );
  expect(
    await query(
      'select tag collate "C" as tag, sims from org_tags where org_id = $1 and sims <> 0 order by 1',
      [acme.id],
    ),
  ).toEqual(
    await query(
      `select tag collate "C" as tag, count(*) as sims from sims, unnest(tags) as tag where org_id = $1
       group by 1 order by 1`,
      [acme.id],
    ),
  );
};

type Ordered = { body: { data: { task: { reference_id: string } | null } } };
const done = async (ordered: Promise<Ordered>): Promise<string> => {
  const reference = (await ordered).body.data.task?.reference_id ?? 'none';
  await work();
  return reference;
};
const suspend = (sims: { iccid: string }[], by = operator) =>
  done(by.call(sim.suspend, { body: { selection: named(...sims), preview: false } }));
const resume = (sims: { iccid: string }[], by = operator) =>
  done(by.call(sim.resume, { body: { selection: named(...sims), preview: false } }));
const tag = (sims: { iccid: string }[], change: { add?: string[]; remove?: string[] }) =>
  done(
    admin.call(sim.saveTag, {
      body: { selection: named(...sims), preview: false, add: [], remove: [], ...change },
    }),
  );
const transfer = (sims: { iccid: string }[], by: TestClient, target_code: string) =>
  done(by.call(sim.transfer, { body: { target_code, selection: named(...sims), preview: false } }));
const undo = (taskReference: string, by: TestClient = operator) =>
  by.call(task.undo, { params: { taskReference } });
/** Undoes a task and waits for it. */
const undone = async (reference: string, by: TestClient = operator): Promise<string> => {
  const { http, body } = await undo(reference, by);
  expect([http, body.status.code]).toEqual([200, 'CB-00-0000']);
  await work();
  return body.data.reference_id;
};
const taskOf = async (taskReference: string, by: TestClient = operator) =>
  (await by.call(task.getMine, { params: { taskReference } })).body.data;
const itemsOf = async (taskReference: string, by: TestClient = operator) =>
  (await by.call(task.listItems, { params: { taskReference } })).body.data.map(({ label, state, code }) => [
    label,
    state,
    code,
  ]);

describe('an undone task', () => {
  it('that suspended: its SIMs are active again, by a separate task that can itself be undone', async () => {
    const [a, b] = [await make(), await make()];
    const first = await suspend([a, b]);
    expect(await taskOf(first)).toMatchObject({ undoable: true, undone_by: null, undoes: null });
    const second = await undone(first);
    expect(await taskOf(second)).toMatchObject({
      type: 'sim-undo',
      status: 'done',
      remark: first,
      result: { accepted: 2, refused: 0 },
      undoable: true,
      undoes: first,
    });
    expect(await taskOf(first)).toMatchObject({ undoable: false, undone_by: second });
    expect(await row(a)).toMatchObject({ lifecycle: 23 });
    expect((await eventsOf(a)).at(-1)).toEqual({
      kind: 'lifecycle-changed',
      facts: { from: 'paused', to: 'active', reason: 'undone' },
      by: second,
    });
    const third = await undone(second);
    expect(await taskOf(third)).toMatchObject({ type: 'sim-undo', remark: second, undoable: true });
    expect([await row(a), await row(b)]).toMatchObject([{ lifecycle: 30 }, { lifecycle: 30 }]);
    await undone(third);
    expect([await row(a), await row(b)]).toMatchObject([{ lifecycle: 23 }, { lifecycle: 23 }]);
    await expectTrueCounts();
  });

  it('that resumed: its SIMs are paused again', async () => {
    const a = await make({ lifecycle: 'paused' });
    await undone(await resume([a]));
    expect(await row(a)).toMatchObject({ lifecycle: 30 });
  });

  it('that changed tags: each SIM has its former tags again, and those that already had them keep them', async () => {
    const [a, b, c] = [
      await make({ tags: ['x', 'y'] }),
      await make({ tags: ['new'] }),
      await make({ tags: ['new', 'x'] }),
    ];
    const first = await tag([a, b, c], { add: ['new'], remove: ['x'] });
    expect(await taskOf(first, admin)).toMatchObject({ result: { accepted: 3, refused: 0 } });
    const second = await undone(first, admin);
    expect([await row(a), await row(b), await row(c)]).toMatchObject([
      { tags: ['x', 'y'] },
      { tags: ['new'] },
      { tags: ['new', 'x'] },
    ]);
    expect((await itemsOf(second, admin)).map(([label]) => label)).toEqual([a.iccid, c.iccid]);
    await undone(second, admin);
    expect(await row(c)).toMatchObject({ tags: ['new'] });
    await expectTrueCounts();
  });

  it('that set names and notes, by hand or by a file: each SIM has its own again', async () => {
    const a = await make({ deviceName: 'pump', notes: 'left\nbehind', tags: ['t'] });
    const b = await make();
    const set = await done(
      admin.call(sim.setDeviceName, { body: { selection: named(a, b), preview: false, device_name: 'all' } }),
    );
    const noted = await done(
      admin.call(sim.saveNote, { body: { selection: named(a, b), preview: false, notes: null } }),
    );
    const content = `ICCID,Device name,Notes,Tags\n${a.iccid},filed,,z\n${b.iccid},filed,written,\n`;
    const parsed = await upload(test, admin, {
      endpoint: sim.parseInfo,
      params: { orgCode: 'acme' },
      name: 'info.csv',
      content,
    });
    const filed = await admin.call(sim.updateInfo, {
      params: { orgCode: 'acme' },
      body: { upload_id: parsed.body.data.upload_id },
    });
    await work();
    expect(await row(b)).toMatchObject({ device_name: 'filed', notes: 'written' });
    // The last one first; the notes were set after the name and do not count as its change.
    await undone(filed.body.data.reference_id, admin);
    expect(await row(b)).toMatchObject({ device_name: 'all', notes: null });
    await undone(noted, admin);
    expect([await row(a), await row(b)]).toMatchObject([
      { device_name: 'all', notes: 'left\nbehind', tags: ['t'] },
      { device_name: 'all', notes: null, tags: [] },
    ]);
    // The file also set the name, which was undone: that still counts as a later change.
    const late = await undone(set, admin);
    expect(await itemsOf(late, admin)).toEqual([
      [a.iccid, 'refused', 'CB-01-0029'],
      [b.iccid, 'refused', 'CB-01-0029'],
    ]);
  });
});

describe('a SIM that is not as the task left it', () => {
  it('is left as it is, with the reason, even when it looks the same', async () => {
    const [still, resumed, again, ended] = [await make(), await make(), await make(), await make()];
    const first = await suspend([still, resumed, again, ended]);
    await resume([resumed, again]);
    await suspend([again]);
    await admin.call(sim.terminate, { body: { selection: named(ended), preview: false } });
    await work();
    const second = await undone(first);
    expect(await itemsOf(second)).toEqual([
      [still.iccid, 'done', null],
      [resumed.iccid, 'refused', 'CB-01-0029'],
      [again.iccid, 'refused', 'CB-01-0029'],
      [ended.iccid, 'refused', 'CB-01-0029'],
    ]);
    expect(await taskOf(second)).toMatchObject({ status: 'issues', result: { accepted: 1, refused: 3 } });
    expect(await row(again)).toMatchObject({ lifecycle: 30 });
  });

  it('is evaluated by what the task changed: other changes do not matter', async () => {
    const [a, b] = [await make(), await make()];
    const tagged = await tag([a, b], { add: ['mine'] });
    await suspend([a]);
    await tag([b], { remove: ['mine'] });
    await tag([b], { add: ['mine'] });
    const second = await undone(tagged, admin);
    expect(await itemsOf(second, admin)).toEqual([
      [a.iccid, 'done', null],
      [b.iccid, 'refused', 'CB-01-0029'],
    ]);
    expect(await row(a)).toMatchObject({ lifecycle: 30, tags: [] });
  });

  it('gets no tags back once it is terminated', async () => {
    const a = await make();
    const tagged = await tag([a], { add: ['mine'] });
    await admin.call(sim.terminate, { body: { selection: named(a), preview: false } });
    await work();
    expect(await itemsOf(await undone(tagged, admin), admin)).toEqual([[a.iccid, 'refused', 'CB-01-0009']]);
  });

  it('was transferred since, and is not restored, even if it has come back', async () => {
    const [gone, back] = [await make(), await make()];
    const tagged = await tag([gone, back], { add: ['mine'] });
    await transfer([gone, back], admin, 'branch');
    await transfer([back], there, 'acme');
    expect(await itemsOf(await undone(tagged, admin), admin)).toEqual([
      [gone.iccid, 'refused', 'CB-01-0012'],
      [back.iccid, 'refused', 'CB-01-0029'],
    ]);
    expect([await row(gone), await row(back)]).toMatchObject([{ tags: ['mine'] }, { tags: ['mine'] }]);
  });

  it('waits in another task', async () => {
    const a = await make();
    const first = await suspend([a]);
    await admin.call(sim.saveNote, { body: { selection: named(a), preview: false, notes: 'n' } });
    const second = await undo(first);
    expect(await itemsOf(second.body.data.reference_id)).toEqual([[a.iccid, 'refused', 'CB-01-0011']]);
    await work();
    expect(await row(a)).toMatchObject({ lifecycle: 30, notes: 'n' });
  });
});

describe('a task is not undone', () => {
  const codeOf = async (reference: string, by: TestClient = operator) => {
    const { http, body } = await undo(reference, by);
    return [http, body.status.code];
  };

  it('twice, even by concurrent requests', async () => {
    const a = await make();
    const first = await suspend([a]);
    const answers = await Promise.all([undo(first), undo(first), undo(first)]);
    expect(answers.map(({ http }) => http).toSorted()).toEqual([200, 409, 409]);
    await work();
    expect(await codeOf(first)).toEqual([409, 'CB-09-0024']);
    expect(
      await query('select count(*) from tasks where undoes is not null and remark = $1', [first]),
    ).toEqual([{ count: 1 }]);
    expect((await eventsOf(a)).map(({ kind }) => kind)).toEqual(['lifecycle-changed', 'lifecycle-changed']);
  });

  it('by a task of which everything was refused, so that it can be repeated', async () => {
    const a = await make();
    const first = await suspend([a]);
    // It is busy with another task.
    await admin.call(sim.saveNote, { body: { selection: named(a), preview: false, notes: 'n' } });
    await undone(first);
    expect(await taskOf(first)).toMatchObject({ undoable: true, undone_by: null });
    const second = await undone(first);
    expect([await row(a), await taskOf(first)]).toMatchObject([{ lifecycle: 23 }, { undone_by: second }]);
  });

  it('while it is in progress', async () => {
    const a = await make();
    const { body } = await operator.call(sim.suspend, { body: { selection: named(a), preview: false } });
    const reference = body.data.task?.reference_id ?? '';
    expect(await codeOf(reference)).toEqual([409, 'CB-09-0023']);
    await work();
    await undone(reference);
  });

  it('when it changed nothing, or something that can’t be undone', async () => {
    const a = await make({ tags: ['same'] });
    const nothing = await tag([a], { add: ['same'] });
    expect(await taskOf(nothing, admin)).toMatchObject({ status: 'done', undoable: false });
    expect(await codeOf(nothing, admin)).toEqual([409, 'CB-09-0025']);
    const reset = await done(operator.call(sim.reset, { body: { selection: named(a), preview: false } }));
    expect(await codeOf(reset)).toEqual([409, 'CB-09-0025']);
    const moved = await transfer([a], admin, 'branch');
    expect(await codeOf(moved, admin)).toEqual([409, 'CB-09-0025']);
  });

  it('by anybody else, in another organisation, or by an invalid reference', async () => {
    const a = await make();
    const first = await suspend([a]);
    expect(await codeOf(first, admin)).toEqual([404, 'CB-09-0012']);
    expect(await codeOf(first, there)).toEqual([404, 'CB-09-0012']);
    expect(await codeOf('T99999999')).toEqual([404, 'CB-09-0012']);
    expect(await codeOf('nonsense')).toEqual([404, 'CB-09-0012']);
    expect(await row(a)).toMatchObject({ lifecycle: 30 });
  });

  it('without the current permission to order what it did', async () => {
    const person = await signedInAs(test, 'admin', acme);
    const a = await make();
    const setRole = (role: string) =>
      query('update memberships set role = $1 where user_id = $2', [role, person.userId]);
    const { body } = await person.call(sim.saveTag, {
      body: { selection: named(a), preview: false, add: ['mine'], remove: [] },
    });
    await work();
    const tagged = body.data.task?.reference_id ?? '';
    const paused = await suspend([a], person);
    await setRole('operator');
    expect(await taskOf(tagged, person)).toMatchObject({ undoable: false });
    expect(await codeOf(tagged, person)).toEqual([403, 'CB-09-0026']);
    const active = await undone(paused, person);
    await setRole('user');
    expect(await taskOf(active, person)).toMatchObject({ undoable: false });
    expect(await codeOf(active, person)).toEqual([403, 'CB-09-0026']);
    await setRole('admin');
    await undone(tagged, person);
    expect(await row(a)).toMatchObject({ tags: [], lifecycle: 23 });
  });

  it('days later, when its former values are deleted', async () => {
    const a = await make({ notes: 'secret' });
    const { body } = await admin.call(sim.saveNote, {
      body: { selection: named(a), preview: false, notes: null },
    });
    await work();
    const reference = body.data.task?.reference_id ?? '';
    const id = Number(reference.slice(1));
    const kept = () => query('select before from task_items where task_id = $1', [id]);
    expect(await kept()).toEqual([{ before: { notes: 'secret' } }]);
    await query(
      `update tasks set ended_at = ended_at - make_interval(days => $2), started_at = started_at
       - make_interval(days => $2) where id = $1`,
      [id, limits.taskUndoDays],
    );
    expect(await taskOf(reference, admin)).toMatchObject({ undoable: false });
    expect(await codeOf(reference, admin)).toEqual([409, 'CB-09-0025']);
    await query(`update tasks set ended_at = ended_at - interval '1 second' where id = $1`, [id]);
    const purge = test.wiring.jobs.find(({ job }) => job.name === 'task.purge');
    await purge?.handle({}, { signal: new AbortController().signal, attempt: 1, log: undefined as never });
    expect(await kept()).toEqual([{ before: null }]);
  });
});

it('is in the audit trail, with who and what', async () => {
  const a = await make();
  const first = await suspend([a]);
  const second = await undone(first);
  const entries = await query(
    `select actor_kind, subject_kind, after from audit_entries where action = 'task.undone' and subject_id = $1`,
    [first],
  );
  const after = { task: second, items: 1, refused: 0 };
  expect(entries).toEqual([{ actor_kind: 'person', subject_kind: 'task', after }]);
});
