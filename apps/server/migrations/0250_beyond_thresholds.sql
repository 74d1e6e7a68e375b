-- The most octets that a firing of the day stood past its threshold: rules with many firings are not read through for it.
alter table autoflow_rule_days add column beyond_bytes bigint;

update autoflow_rule_days d set beyond_bytes = f.beyond
from (
  select rule_id, (fired_at at time zone 'UTC')::date as day,
    max((measured ->> 'value')::float8 - (measured ->> 'threshold')::float8)::bigint as beyond
  from autoflow_firings where measured ->> 'unit' = 'octets' group by 1, 2) as f
where f.rule_id = d.rule_id and f.day = d.day;
