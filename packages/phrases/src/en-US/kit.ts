/** Words of the kit in apps/web/src/ui: tables, filters, forms, dialogs, charts. */
export const kit = { table: { columns: 'Columns' } };
