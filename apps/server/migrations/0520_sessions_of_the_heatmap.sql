-- Sessions of the heatmap are those of usage records: the days that are kept are computed again.
update heatmap_days set records = -1 where records <> -1;
