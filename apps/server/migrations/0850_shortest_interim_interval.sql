-- RFC 2869, 5.16: the interval must not be smaller than 60 seconds. Shorter ones can no longer be set.
update radius_clients set interim_seconds = 60 where interim_seconds < 60;
