import type { Sql } from './pool.ts';

interface Column {
  table_name: string;
  column_name: string;
  data_type: string;
  element: string | null;
  nullable: boolean;
  generated: boolean;
  has_default: boolean;
}

const scalarTypes: Readonly<Record<string, string>> = {
  bigint: 'number',
  integer: 'number',
  smallint: 'number',
  'double precision': 'number',
  boolean: 'boolean',
  text: 'string',
  character: 'string',
  uuid: 'string',
  inet: 'string',
  cidr: 'string',
  xid8: 'string',
  date: 'string',
  bit: 'string',
  bytea: 'Buffer',
  json: 'Json',
  jsonb: 'Json',
  'timestamp with time zone': 'Timestamp',
};

/** Kysely's types of the migrated schema, without partitions and the queue's own tables. */
export const renderTypes = async (sql: Sql): Promise<string> => {
  const { rows } = await sql.query<Column>(
    `select c.relname as table_name, a.attname as column_name, format_type(a.atttypid, null) as data_type,
       format_type(nullif(t.typelem, 0), null) as element, not a.attnotnull as nullable, a.attgenerated <> '' as generated,
       (a.atthasdef and a.attgenerated = '') or a.attidentity <> '' as has_default
     from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and a.attnum > 0 and not a.attisdropped
     order by c.relname, a.attnum`,
  );
  const tables = new Map<string, string[]>();
  for (const row of rows) {
    const lines = tables.get(row.table_name) ?? [];
    lines.push(`  ${row.column_name}: ${typeOf(row)};`);
    tables.set(row.table_name, lines);
  }
  const interfaces = [...tables].map(
    ([table, lines]) => `export interface ${interfaceName(table)} {\n${lines.join('\n')}\n}`,
  );
  const entries = [...tables.keys()].map((table) => `  ${table}: ${interfaceName(table)};`);
  return `${header}\n${interfaces.join('\n\n')}\n\nexport interface DB {\n${entries.join('\n')}\n}\n`;
};

const header = `// Made by \`npm run generate:types\` from the migrated schema; a test compares the two.
import type { ColumnType } from 'kysely';

type Json = ColumnType<unknown, string, string>;
type Timestamp = ColumnType<Date, Date | string, Date | string>;
type Defaulted<T> = T extends ColumnType<infer S, infer I, infer U>
  ? ColumnType<S, I | undefined, U>
  : ColumnType<T, T | undefined, T>;
type Derived<T> = ColumnType<T, never, never>;
`;

const interfaceName = (table: string): string =>
  table.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

const typeOf = (column: Column): string => {
  const isArray = column.data_type.endsWith('[]');
  const name = isArray ? column.element : column.data_type;
  const known = name && scalarTypes[name];
  if (!known) throw new Error(`No type for ${column.table_name}.${column.column_name} (${name})`);
  const base = `${known}${isArray ? '[]' : ''}${column.nullable ? ' | null' : ''}`;
  if (column.generated) return `Derived<${base}>`;
  return column.has_default ? `Defaulted<${base}>` : base;
};
