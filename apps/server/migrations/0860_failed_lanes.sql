-- When the last failure of the lane was. Failures form a series only if attempts go on between them. Null: unknown.
alter table delivery_lanes add column failed_at timestamptz;
