/** Creates datasets of market prices. A feed has the prices of one operator and one market, by days and hours in Eastern time. */
import { type MarketName, monthlyPriced, type Region } from "#libs/contract/vocabulary.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import type { Dataset, DatasetFile } from "../../../sources/dataset.ts";
import type { RawFile } from "../../../sources/source.ts";
import { createLocalClock, type LocalClock } from "./local-clock.ts";
import type { HourPrice } from "./price.ts";

interface MarketFeed extends Omit<Dataset<HourPrice>, "database" | "region" | "parse" | "write"> {
	iso: Region;
	market: MarketName;
	parse(file: RawFile, clock: LocalClock): ReturnType<Dataset<HourPrice>["parse"]>;
}

export const easternTime = "America/New_York";

export function createMarketDataset({ iso, market, parse, ...feed }: MarketFeed): Dataset<HourPrice> {
	const finestInterval = monthlyPriced.includes(iso) ? "month" : "hour";
	const prices = { iso, market, timezone: easternTime, finestInterval } as const;
	return {
		...{ ...feed, database: "market", region: iso },
		parse: (file) => parse(file, createLocalClock(easternTime)),
		write: (tx, file, provenance) => writePrices(tx, { ...prices, ...provenance }, file),
	};
}

interface PriceFeed {
	feed: string;
	iso: Region;
	market: string;
	timezone: string;
	finestInterval: "hour" | "month";
	snapshotId: number;
}

const batch = 5_000;

/** Stores the prices of an edition, chooses the file that each affected hour is served from, and recomputes the affected days. */
async function writePrices(tx: Transaction, priceFeed: PriceFeed, file: DatasetFile<HourPrice>): Promise<number> {
	const { feed } = priceFeed;
	const { edition } = file;
	await tx`drop table if exists changed_days`;
	await tx`
		create temporary table changed_days on commit drop as
		select distinct hub_id, local_date from market_prices where source = ${feed} and edition = ${edition}`;
	await tx`delete from market_prices where source = ${feed} and edition = ${edition}`;
	await writeHubs(tx, priceFeed, file);
	for (let at = 0; at < file.rows.length; at += batch)
		await writeRows(tx, priceFeed, file, file.rows.slice(at, at + batch));
	await tx`
		insert into changed_days
		select hub_id, local_date from market_prices where source = ${feed} and edition = ${edition}
		except select hub_id, local_date from changed_days`;
	await tx`analyze changed_days`;
	await chooseServedFiles(tx, priceFeed);
	await updateMarketDays(tx, priceFeed, edition);
	await tx`
		delete from market_hubs h where iso = ${priceFeed.iso}
			and not exists (select from market_prices p where p.iso = h.iso and p.hub_id = h.hub_id)`;
	const [stored] = await tx<{ n: number }[]>`
		select count(*) as n from market_prices where source = ${feed} and edition = ${edition}`;
	return stored?.n ?? 0;
}

async function writeHubs(
	tx: Transaction,
	priceFeed: PriceFeed,
	{ edition, rows }: DatasetFile<HourPrice>,
): Promise<void> {
	const hubs = [...new Map(rows.map((row) => [row.hubId, row])).values()];
	await tx`
		insert into market_hubs (iso, hub_id, hub, hub_type, timezone, finest_interval, source, edition, snapshot_id)
		select ${priceFeed.iso}, h.id, h.name, h.type, ${priceFeed.timezone}, ${priceFeed.finestInterval}, ${priceFeed.feed}, ${edition}, ${priceFeed.snapshotId}
		from unnest(${hubs.map(({ hubId }) => hubId)}::text[], ${hubs.map(({ hub }) => hub)}::text[],
			${hubs.map(({ hubType }) => hubType)}::text[]) as h (id, name, type)
		on conflict (iso, hub_id) do update set hub = excluded.hub, hub_type = excluded.hub_type, timezone = excluded.timezone,
			finest_interval = excluded.finest_interval, source = excluded.source, edition = excluded.edition,
			snapshot_id = excluded.snapshot_id`;
}

async function writeRows(
	tx: Transaction,
	{ feed, iso, market, timezone, snapshotId }: PriceFeed,
	{ edition, publishedOn }: DatasetFile<HourPrice>,
	rows: HourPrice[],
): Promise<void> {
	await tx`
		insert into market_prices (source, edition, hub_id, starts_at, iso, market, local_date, hour_ending, lmp, energy, congestion,
			loss, minutes, version, published_on, snapshot_id)
		select ${feed}, ${edition}, r."hubId", r."startsAt", ${iso}, ${market}, l.at::date,
			to_char(extract(hour from l.at) + 1, 'FM00')
				|| case when (r."startsAt" - interval '1 hour') at time zone ${timezone} = l.at then 'X' else '' end,
			r.lmp, r.energy, r.congestion, r.loss, r.minutes, r.version, ${publishedOn}::text::date, ${snapshotId}
		from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r ("hubId" text, "startsAt" timestamptz, lmp float8,
			energy float8, congestion float8, loss float8, minutes int, version int),
			lateral (select r."startsAt" at time zone ${timezone} as at) l`;
}

/**
 * Each hour is served from one file: the one with the highest price version (a missing version counts as 1), then the newest publication,
 * then the last loaded.
 */
async function chooseServedFiles(tx: Transaction, { iso, market }: PriceFeed): Promise<void> {
	await tx`
		create temporary table chosen on commit drop as
		select distinct on (hub_id, starts_at) source, edition, hub_id, starts_at, served
		from market_prices join changed_days using (hub_id, local_date) where iso = ${iso} and market = ${market}
		order by hub_id, starts_at, coalesce(version, 1) desc, published_on desc nulls last, snapshot_id desc, source, edition`;
	await tx`analyze chosen`;
	await tx`
		update market_prices p set served = false from chosen c
		where p.served and p.iso = ${iso} and p.market = ${market} and p.hub_id = c.hub_id and p.starts_at = c.starts_at
			and (p.source, p.edition) <> (c.source, c.edition)`;
	await tx`
		update market_prices p set served = true from chosen c
		where not c.served and (p.source, p.edition, p.hub_id, p.starts_at) = (c.source, c.edition, c.hub_id, c.starts_at)`;
	await tx`drop table chosen`;
}

async function updateMarketDays(
	tx: Transaction,
	{ iso, market, timezone, snapshotId }: PriceFeed,
	edition: string,
): Promise<void> {
	await tx`
		delete from market_days d using changed_days t
		where d.iso = ${iso} and d.market = ${market} and d.hub_id = t.hub_id and d.local_date = t.local_date`;
	await tx`
		insert into market_days (iso, market, hub_id, local_date, hours, whole_hours, hours_of_day, lmp_sum, lmp_min, lmp_max,
			energy_sum, congestion_sum, loss_sum, first_at, last_at, published_on, source, edition, snapshot_id)
		select ${iso}, ${market}, hub_id, local_date, count(*), count(*) filter (where minutes = 60),
			hours_between(local_date, local_date + 1, ${timezone}), sum(lmp), min(lmp), max(lmp),
			case when count(energy) = count(*) then sum(energy) end,
			case when count(congestion) = count(*) then sum(congestion) end,
			case when count(loss) = count(*) then sum(loss) end,
			min(starts_at), max(starts_at), max(published_on), string_agg(distinct source, ', ' order by source), ${edition}, ${snapshotId}
		from market_prices join changed_days using (hub_id, local_date)
		where iso = ${iso} and market = ${market} and served
		group by hub_id, local_date`;
}
