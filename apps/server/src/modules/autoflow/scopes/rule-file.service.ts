import { createHash } from 'node:crypto';
import { type Language, languages, limits } from '@simcube/contract';
import type { RuleFile, RuleFileKind, RuleFileValidation } from '@simcube/contract/autoflow';
import type { TemplateFormat, UploadQuery } from '@simcube/contract/task';
import { errorText, phrase } from '@simcube/phrases';
import type pg from 'pg';
import { z } from 'zod';
import type { Clock } from '../../../platform/clock/index.ts';
import { inTransaction, type Sql } from '../../../platform/db/index.ts';
import { templateFile, type UploadedFile } from '../../../platform/files/index.ts';
import { type FileResponse, fail } from '../../../platform/http/index.ts';
import {
  columnPositions,
  consumeUpload,
  findUpload,
  isBlankOrNote,
  type Orderer,
  readHeadedTable,
  repeatedColumns,
  storeUpload,
} from '../../sim/index.ts';
import { findOwnSims, insertList } from './lists.queries.ts';
import { type RuleFileColumn, type RuleFileFault, readRuleRows, ruleFileColumns } from './rule-file.rules.ts';

/** Maximum number of faults in the response; further ones are only counted. */
const maxFaultsShown = 100;
const uploadKinds = { sims: 'rule-sims', imeis: 'rule-imeis' } as const;
/** The field of a rule that refers to the file. */
const fileFields = { sims: 'scope.file', imeis: 'trigger.file' } as const;
/** The stored rows: ICCID and IMEI. */
const storedRowsSchema = z.array(z.tuple([z.string(), z.string()]));

const headingOf = (column: RuleFileColumn, language: Language): string =>
  phrase(language, column === 'iccid' ? 'files.columns.iccid' : 'files.columns.imei');

/** An empty file with headings in the caller's language. */
export const ruleFileTemplate = (
  kind: RuleFileKind,
  { format, language }: { format: TemplateFormat; language: Language },
): Promise<FileResponse> =>
  templateFile({
    name: kind === 'sims' ? 'rule-sims' : 'rule-imeis',
    format,
    rows: [ruleFileColumns[kind].map((column) => headingOf(column, language))],
  });

/** @throws FileRefused, Failure CB-09-0004, CB-09-0007, CB-09-0038 */
const readFile = async (file: UploadedFile, kind: RuleFileKind, language: Language) => {
  const required = ruleFileColumns[kind];
  const names = { iccid: languages.map((one) => headingOf('iccid', one)) } as Record<
    RuleFileColumn,
    string[]
  >;
  if (kind === 'imeis') names.imei = languages.map((one) => headingOf('imei', one));
  const columns = required.map((column) => headingOf(column, language)).join(', ');
  const bounds = { names, columns, maxRows: limits.autoflow.fileRows, language };
  const [heading = [], ...table] = await readHeadedTable(file, bounds);
  const repeated = repeatedColumns(heading, names);
  if (repeated.length > 0) fail('CB-09-0004', { values: { columns: repeated.join(', ') } });
  const places = columnPositions(heading, names);
  if (required.some((column) => places[column] === undefined)) fail('CB-09-0004', { values: { columns } });
  if (table.every(isBlankOrNote)) fail('CB-09-0007');
  return readRuleRows(table, { kind, places });
};

const toFileError = ({ column, code, ...fault }: RuleFileFault, language: Language) => ({
  ...fault,
  code,
  column: headingOf(column, language),
  message: errorText(language, code),
});

/**
 * Validates a file of a rule. A file without faults is stored until the rule is saved.
 * @throws FileRefused, Failure CB-09-0004, CB-09-0007, CB-09-0021, CB-09-0038
 */
export const validateRuleFile = async (
  { pool, clock }: { pool: pg.Pool; clock: Clock },
  { org, userId, language }: Orderer,
  { file, kind, replaces }: { file: UploadedFile; kind: RuleFileKind } & UploadQuery,
): Promise<RuleFileValidation> => {
  const { rows, faults } = await readFile(file, kind, language);
  const digest = createHash('sha256').update(file.content).digest('hex');
  return inTransaction(pool, async (tx) => {
    const own = await findOwnSims(tx, { orgId: org.id, iccids: rows.map(({ iccid }) => iccid) });
    const foreign = rows.flatMap(({ row, iccid }): RuleFileFault[] =>
      own.has(iccid) ? [] : [{ row, column: 'iccid', value: iccid, code: 'CB-01-0012' }],
    );
    const allFaults = [...faults, ...foreign].sort((one, other) => one.row - other.row);
    const answer = {
      sims: new Set(own.values()).size,
      rows: rows.length + faults.length,
      digest,
      errors: allFaults.slice(0, maxFaultsShown).map((fault) => toFileError(fault, language)),
      wrong_rows: allFaults.length,
    };
    if (allFaults.length > 0) return { ...answer, upload_id: null };
    const uploadId = await storeUpload(tx, {
      orgId: org.id,
      userId,
      kind: uploadKinds[kind],
      name: file.name,
      rows: rows.map(({ iccid, imei }) => [iccid, imei]),
      facts: { digest },
      at: clock.now(),
      replaces,
    });
    return { ...answer, upload_id: uploadId };
  });
};

interface ValidatedRows {
  name: string;
  sims: { simId: number; imei: string }[];
}

/**
 * The SIMs of a validated file.
 * @throws Failure CB-09-0009 if it is no longer stored, CB-05-0006 if the person has uploaded another file since,
 * CB-01-0012 if the organisation no longer has one of the SIMs
 */
export const readValidatedRows = async (
  sql: Sql,
  { org, userId }: Pick<Orderer, 'org' | 'userId'>,
  { file, kind, at }: { file: Extract<RuleFile, { upload_id: string }>; kind: RuleFileKind; at: Date },
): Promise<ValidatedRows> => {
  const owner = { orgId: org.id, userId, kind: uploadKinds[kind], now: at };
  const upload = (await findUpload(sql, { id: file.upload_id, ...owner })) ?? fail('CB-09-0009');
  if (upload.facts['digest'] !== file.digest) fail('CB-05-0006');
  const rows = storedRowsSchema.parse(upload.rows);
  const own = await findOwnSims(sql, { orgId: org.id, iccids: rows.map(([iccid]) => iccid) });
  const sims = rows.map(([iccid, imei]) => {
    const simId = own.get(iccid);
    if (simId === undefined)
      return fail('CB-01-0012', { issues: [{ path: fileFields[kind], key: 'notAllowed' }] });
    return { simId, imei };
  });
  return { name: upload.name, sims };
};

/**
 * Creates the list of a rule from a validated file, or keeps the existing one.
 * @returns the id of the list
 * @throws Failure as `readValidatedRows`
 */
export const storeRuleFile = async (
  tx: Sql,
  orderer: Pick<Orderer, 'org' | 'userId'>,
  input: { file: RuleFile; kind: RuleFileKind; ruleId: number; previousListId: string | null; at: Date },
): Promise<string> => {
  const { file, kind, ruleId, previousListId, at } = input;
  if ('list_id' in file) return file.list_id === previousListId ? previousListId : fail('CB-05-0006');
  const { name, sims } = await readValidatedRows(tx, orderer, { file, kind, at });
  if (!(await consumeUpload(tx, file.upload_id))) fail('CB-09-0009');
  return insertList(tx, { ruleId, name, digest: file.digest, sims, at });
};
