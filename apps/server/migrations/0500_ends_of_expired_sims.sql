-- An expired SIM ended when it expired, also where its order was terminated before its time.
update sims set expires_at = lifecycle_changed_at where lifecycle in (40, 50) and expires_at > lifecycle_changed_at;
