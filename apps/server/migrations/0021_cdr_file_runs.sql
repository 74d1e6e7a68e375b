-- Who takes the file in: the import that began last. One that began before is refused its next chunk, so that never two
-- take turns at a file.
alter table cdr_files add column run_id uuid;
