-- Networks have changed their country since days were computed: the days that are kept are computed again.
update heatmap_days set records = -1 where records <> -1;
