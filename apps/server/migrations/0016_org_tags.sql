-- How many SIMs of an organisation have a tag, kept by additive upserts in the transaction of each change.
create table org_tags (
  org_id bigint not null references organisations (id) on delete cascade,
  tag text collate "C" not null,
  sims bigint not null,
  primary key (org_id, tag)
);

insert into org_tags (org_id, tag, sims)
select org_id, tag, count(*) from sims cross join lateral (select distinct unnest(tags) as tag) as own group by 1, 2;

-- The most used first, however many there are.
create index org_tags_used_idx on org_tags (org_id, sims desc, tag);
