-- Why: wholesale power prices by hub and hour, each hour counted once however many files state it, with daily and monthly averages.

-- Where prices are formed. Like the days below it carries the provenance of the file that wrote it last.
create table market_hubs (
  iso text not null,
  hub_id text not null,
  hub text not null,
  hub_type text not null check (hub_type in ('hub', 'zone', 'interface', 'node')),
  timezone text not null,
  -- The shortest interval that the operator's licence lets us show.
  finest_interval text not null check (finest_interval in ('hour', 'month')),
  source text not null,
  edition text not null,
  snapshot_id bigint not null,
  primary key (iso, hub_id)
);

-- Every hour of every edition. Of the files that state the same hour one is served: the highest version, then the newest.
create table market_prices (
  source text not null,
  edition text not null,
  hub_id text not null,
  starts_at timestamptz not null,
  iso text not null,
  market text not null check (market in ('day_ahead', 'real_time', 'real_time_commitment')),
  local_date date not null,
  -- As operators number them, 01 to 24; 02X is the hour that is repeated in autumn.
  hour_ending text not null,
  lmp float8 not null,
  energy float8,
  -- Adds to the price in every operator's rows: lmp = energy + congestion + loss.
  congestion float8,
  loss float8,
  -- Minutes of the hour that the price is an average over: less than 60 where intervals are missing.
  minutes smallint not null check (minutes between 1 and 60),
  version integer,
  published_on date,
  snapshot_id bigint not null,
  served boolean not null default false,
  primary key (source, edition, hub_id, starts_at)
);
create unique index market_prices_served on market_prices (iso, market, hub_id, starts_at) where served;
create index market_prices_newest on market_prices (starts_at, iso, hub_id, market) where served;
create index market_prices_day on market_prices (iso, market, hub_id, local_date);

-- Sums of the served hours of each local day, from which the averages are made.
create table market_days (
  iso text not null,
  market text not null,
  hub_id text not null,
  local_date date not null,
  hours smallint not null,
  -- Hours whose 60 minutes are all there, and how many the day has: 23, 24 or 25.
  whole_hours smallint not null,
  hours_of_day smallint not null,
  lmp_sum float8 not null,
  lmp_min float8 not null,
  lmp_max float8 not null,
  -- Null where an hour of the day lacks the component.
  energy_sum float8,
  congestion_sum float8,
  loss_sum float8,
  first_at timestamptz not null,
  last_at timestamptz not null,
  published_on date,
  source text not null,
  edition text not null,
  snapshot_id bigint not null,
  primary key (iso, market, hub_id, local_date)
);
create index market_days_date on market_days (local_date, iso, hub_id, market);

create function hours_between(first date, after date, zone text) returns integer language sql stable parallel safe as $$
  select (extract(epoch from (after::timestamp at time zone zone) - (first::timestamp at time zone zone)) / 3600)::integer
$$;

create function cents(value float8) returns float8 language sql immutable parallel safe as $$
  select round(value::numeric, 4)::float8
$$;

-- Prices that may be shown, in one form for the three intervals. A licence for monthly averages allows neither hours nor days, nor a
-- month that has only begun (it would be an hour or a day under another name), nor a month's extremes (they are hours).
create view market_hour_rows as
  select p.iso, h.hub, p.hub_id, h.hub_type, p.market, p.starts_at, p.local_date, p.hour_ending,
    cents(p.lmp) as lmp_usd_mwh, cents(p.energy) as energy_usd_mwh, cents(p.congestion) as congestion_usd_mwh, cents(p.loss) as loss_usd_mwh,
    null::float8 as min_lmp_usd_mwh, null::float8 as max_lmp_usd_mwh, 1 as hours, p.minutes = 60 as complete,
    h.timezone, p.source, p.published_on
  from market_prices p join market_hubs h using (iso, hub_id)
  where p.served and h.finest_interval = 'hour';

create view market_day_rows as
  select d.iso, h.hub, d.hub_id, h.hub_type, d.market, d.local_date::timestamp at time zone h.timezone as starts_at, d.local_date,
    null::text as hour_ending, cents(d.lmp_sum / d.hours) as lmp_usd_mwh, cents(d.energy_sum / d.hours) as energy_usd_mwh,
    cents(d.congestion_sum / d.hours) as congestion_usd_mwh, cents(d.loss_sum / d.hours) as loss_usd_mwh,
    cents(d.lmp_min) as min_lmp_usd_mwh, cents(d.lmp_max) as max_lmp_usd_mwh, d.hours::integer as hours,
    d.whole_hours = d.hours_of_day as complete, h.timezone, d.source, d.published_on
  from market_days d join market_hubs h using (iso, hub_id)
  where h.finest_interval = 'hour';

create view market_month_rows as
  select iso, h.hub, hub_id, h.hub_type, market, m.month::timestamp at time zone h.timezone as starts_at, m.month as local_date,
    null::text as hour_ending, cents(m.lmp_sum / m.hours) as lmp_usd_mwh, cents(m.energy_sum / m.hours) as energy_usd_mwh,
    cents(m.congestion_sum / m.hours) as congestion_usd_mwh, cents(m.loss_sum / m.hours) as loss_usd_mwh,
    case when h.finest_interval = 'hour' then cents(m.lmp_min) end as min_lmp_usd_mwh,
    case when h.finest_interval = 'hour' then cents(m.lmp_max) end as max_lmp_usd_mwh,
    m.hours, m.complete, h.timezone, m.source, m.published_on
  from (
    select d.iso, d.market, d.hub_id, date_trunc('month', d.local_date::timestamp)::date as month, sum(d.hours)::integer as hours,
      sum(d.whole_hours) = hours_between(date_trunc('month', d.local_date::timestamp)::date,
        (date_trunc('month', d.local_date::timestamp) + interval '1 month')::date, t.timezone) as complete,
      sum(d.lmp_sum) as lmp_sum, min(d.lmp_min) as lmp_min, max(d.lmp_max) as lmp_max,
      case when count(d.energy_sum) = count(*) then sum(d.energy_sum) end as energy_sum,
      case when count(d.congestion_sum) = count(*) then sum(d.congestion_sum) end as congestion_sum,
      case when count(d.loss_sum) = count(*) then sum(d.loss_sum) end as loss_sum,
      string_agg(distinct d.source, ', ' order by d.source) as source, max(d.published_on) as published_on
    from market_days d join market_hubs t using (iso, hub_id)
    group by d.iso, d.market, d.hub_id, date_trunc('month', d.local_date::timestamp), t.timezone
  ) m join market_hubs h using (iso, hub_id)
  where h.finest_interval = 'hour' or m.complete;
