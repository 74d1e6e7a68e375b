-- Which pages of radius_sessions were searched for sessions that are no longer kept: once a month each, so that no index has to
-- know when sessions ended, which each Stop would write.
create table session_walks (
  -- What ended before goes.
  before timestamptz primary key,
  -- The next page to be read, of every node's part.
  page bigint not null default 0,
  finished_at timestamptz
);
