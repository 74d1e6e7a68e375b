-- Whole hours that business days are ahead of UTC, noted when an installation is made. One of before has those of UTC+8.
insert into installation (key, value)
select 'day-offset', '8' where exists (select from organisations);
