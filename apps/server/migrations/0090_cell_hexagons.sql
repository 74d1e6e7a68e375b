-- In which hexagon of H3 a cell stands, for maps: base cell and digits of its index down to resolution 6 (edges of about
-- 3 km), 25 bits, so that the coarser one that holds it is this without its last digits, three bits each. SQL can't derive
-- it from coordinates: cells of before are given theirs by a job, and have none until then.
alter table cells add column hexagon integer;
create index cells_without_hexagon_idx on cells (cell) where hexagon is null;
