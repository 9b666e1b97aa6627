-- Why: a feed or a part of a poll that has failed for its whole cadence is shown, though the pipeline has other feeds that are well.
alter table looks add column failing_since timestamptz;
