-- What the network should have done and has not is found by comparing what a SIM may do with what the network confirmed.

-- The rate limit that the network confirmed last, by an Access-Accept that went out or a CoA-ACK; null: none.
alter table sim_live add column network_rate_kbps integer;

-- When its own module last tried again what a dead letter stands for.
alter table dead_lettered_jobs add column tried_at timestamptz;
