-- Why: states that hold on a day are found by equality, without those of other days. An index over ranges of days read four times as many pages.

-- A state of class n lasts less than 2 to the n days, so where it holds it began at most four quarters of that time ago. Class 14: all that
-- last longer; 15: those that hold still; these have one slot each.
create function state_slot(class integer, quarter_days integer) returns integer language sql immutable parallel safe
  return (class << 24) + case when class < 14 then quarter_days >> class else 0 end;
create function quarter_days(moment timestamptz) returns integer language sql immutable parallel safe
  return floor(extract(epoch from moment at time zone 'UTC') / 21600)::integer;
create function slot_of(valid_from timestamptz, valid_to timestamptz) returns integer language sql immutable parallel safe
  return state_slot(coalesce(width_bucket(valid_to - valid_from,
    '{1 day,2 days,4 days,8 days,16 days,32 days,64 days,128 days,256 days,512 days,1024 days,2048 days,4096 days,8192 days}'::interval[]), 15),
    quarter_days(valid_from));
-- Slots of all states that can hold at the moment.
create function slots_at(moment timestamptz) returns integer[] language sql immutable parallel safe
  return array(select distinct state_slot(class, quarter_days(moment) - (quarters << class))
    from generate_series(0, 15) class, generate_series(0, 4) quarters);
