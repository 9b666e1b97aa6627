/**
 * Converts NYISO's price rows, in any of its layouts, to UTC hours.
 *
 * NYISO publishes congestion with the opposite sign: LBMP = energy + losses - congestion. (In a day's real-time file, LBMP - losses +
 * congestion is the same for every zone at a given time, as an energy component must be; LBMP - losses - congestion is not.) The sign is
 * reversed here, so that the components add up as in other operators' prices.
 *
 * Day-ahead rows state the start of their hour (a day runs from 00:00 to 23:00), real-time rows the end of their interval (a day runs from
 * 00:05 to 00:00 of the next day; the export calls the column "End Time Stamp").
 */
import { StructureError } from "#libs/files/structure-error.ts";
import type { HeadedTable } from "#libs/files/table.ts";
import { type Cell, number, text } from "#libs/files/values.ts";
import type { DatasetFile } from "../../../sources/dataset.ts";
import { hourMs, type LocalClock, type LocalStamp, readStamp } from "./local-clock.ts";
import { Account, checkWholeDays, findPriceFault, type HourPrice, iso, roundPrice } from "./price.ts";

interface Columns {
	stamp: number;
	/** -1 if the layout does not state EDT or EST. */
	zone: number;
	name: number;
	id: number;
	lbmp: number;
	losses: number;
	congestion: number;
	version: number;
}

interface TimedPrice {
	at: number;
	hubId: string;
	hub: string;
	lmp: number;
	energy: number;
	congestion: number;
	loss: number;
	version: number | null;
}

export type ToHours = (byHub: Map<string, TimedPrice[]>) => HourPrice[];

/** Range of the PTIDs of the eleven load zones, A to K. All other PTIDs are external interfaces (H Q, NPX, O H, PJM). */
const zoneIds = { first: 61_752, last: 61_762 };

export function readHours(
	name: string,
	headed: HeadedTable,
	columns: Columns,
	clock: LocalClock,
	toHours: ToHours,
): Omit<DatasetFile<HourPrice>, "edition" | "publishedOn"> {
	const account = new Account();
	const byHub = readTimedPrices(headed.rows, columns, clock, account);
	checkSameEnd(name, byHub);
	checkEnergy(name, byHub, account);
	const rows = toHours(byHub);
	checkWholeDays(name, rows, clock);
	return { ...account.file(headed), rowsIn: headed.rows.length, rows };
}

function readTimedPrices(
	rows: Cell[][],
	columns: Columns,
	clock: LocalClock,
	account: Account,
): Map<string, TimedPrice[]> {
	const byHub = new Map<string, Map<number, TimedPrice>>();
	const previousTimes = new Map<string, number>();
	for (const row of rows) {
		const hub = text(row[columns.name]);
		const hubId = text(row[columns.id]);
		const where = `${hub} ${text(row[columns.stamp])}`;
		const lmp = number(row[columns.lbmp]);
		const [losses, filed] = [number(row[columns.losses]), number(row[columns.congestion])];
		const at = timeOf(row, columns, clock, previousTimes.get(hubId ?? ""));
		const fault = findPriceFault(lmp) ?? (at === null ? "an invalid time stamp" : null);
		if (lmp === null || losses === null || filed === null || !hub || !hubId || at === null || fault !== null) {
			account.drop(fault ?? "no zone or component", where, "malformed");
			continue;
		}
		previousTimes.set(hubId, at);
		// `0 - filed` avoids minus zero.
		const [energy, congestion] = [roundPrice(lmp - losses + filed), 0 - filed];
		const price = { at, hubId, hub, lmp, energy, congestion, loss: losses, version: versionOf(row[columns.version]) };
		keepNewest(byHub, price, account, where);
	}
	return new Map([...byHub].map(([hubId, found]) => [hubId, [...found.values()].sort((a, b) => a.at - b.at)]));
}

function versionOf(cell: Cell): number | null {
	const version = number(cell);
	return version !== null && Number.isInteger(version) && version >= 0 && version < 1e6 ? version : null;
}

function keepNewest(
	byHub: Map<string, Map<number, TimedPrice>>,
	found: TimedPrice,
	account: Account,
	where: string,
): void {
	const known = byHub.get(found.hubId) ?? new Map<number, TimedPrice>();
	byHub.set(found.hubId, known);
	const other = known.get(found.at);
	if (other !== undefined) {
		const differs = (other.version ?? 1) === (found.version ?? 1) && other.lmp !== found.lmp;
		account.drop(
			differs ? "a second price for the same time" : "superseded in the same file",
			where,
			differs ? "malformed" : undefined,
		);
	}
	if (other === undefined || (found.version ?? 1) > (other.version ?? 1)) known.set(found.at, found);
}

/**
 * A stamp in the hour that is repeated in autumn matches two times. The stated zone (EDT, EST) decides. If the layout states none, the
 * order of rows does: it is the first of the two times after the hub's previous row.
 */
function timeOf(row: Cell[], columns: Columns, clock: LocalClock, before: number | undefined): number | null {
	const stamp: LocalStamp | null = readStamp(text(row[columns.stamp]));
	const times = stamp === null ? [] : clock.timesOf(stamp);
	if (times.length < 2) return times[0] ?? null;
	const zone = text(row[columns.zone]);
	if (zone === "EDT") return times[0] ?? null;
	if (zone === "EST") return times[1] ?? null;
	return times.find((time) => before === undefined || time > before) ?? times[1] ?? null;
}

const hubTypeOf = (hubId: string) =>
	Number(hubId) >= zoneIds.first && Number(hubId) <= zoneIds.last ? ("zone" as const) : ("interface" as const);

export function toHourlyPrices(byHub: Map<string, TimedPrice[]>): HourPrice[] {
	return [...byHub.values()].flat().map(({ at, ...price }) => {
		if (at % hourMs !== 0)
			throw new StructureError(`${price.hub} has a price at ${iso(at)}, which is not the start of an hour`);
		return { ...price, hubType: hubTypeOf(price.hubId), startsAt: iso(at), minutes: 60 };
	});
}

/**
 * Averages prices stamped at the end of their interval by hour, weighted by duration like NYISO's integrated prices, because a run between
 * two regular runs is valid only for seconds. An interval begins at the end of the previous one, but is at most `nominalMs` long: gaps are not
 * filled.
 */
export function averageHours(byHub: Map<string, TimedPrice[]>, nominalMs: number): HourPrice[] {
	return [...byHub.values()].flatMap((rows) => {
		const hours = new Map<number, Sums>();
		let previousEnd = Number.NEGATIVE_INFINITY;
		for (const row of rows) {
			addInterval(hours, row, Math.max(previousEnd, row.at - nominalMs));
			previousEnd = row.at;
		}
		return [...hours].map(([hour, sums]) => averageOf(hour, sums));
	});
}

interface Sums {
	ms: number;
	lmp: number;
	energy: number;
	congestion: number;
	loss: number;
	last: TimedPrice;
}

function addInterval(hours: Map<number, Sums>, row: TimedPrice, from: number): void {
	for (let at = from; at < row.at; ) {
		const hour = Math.floor(at / hourMs) * hourMs;
		const end = Math.min(row.at, hour + hourMs);
		const sums = hours.get(hour) ?? { ms: 0, lmp: 0, energy: 0, congestion: 0, loss: 0, last: row };
		for (const part of ["lmp", "energy", "congestion", "loss"] as const) sums[part] += row[part] * (end - at);
		sums.ms += end - at;
		sums.last = (row.version ?? 1) > (sums.last.version ?? 1) ? row : sums.last;
		hours.set(hour, sums);
		at = end;
	}
}

function averageOf(hour: number, { ms, last, ...sums }: Sums): HourPrice {
	const { hubId, hub, version } = last;
	return {
		...{ hubId, hub, hubType: hubTypeOf(hubId), startsAt: iso(hour), version },
		...{ lmp: roundPrice(sums.lmp / ms), energy: roundPrice(sums.energy / ms) },
		...{ congestion: roundPrice(sums.congestion / ms), loss: roundPrice(sums.loss / ms) },
		// Rounded down: a part of a minute does not count.
		minutes: Math.max(1, Math.floor(ms / 60_000)),
	};
}

/**
 * The energy component at a given time is the same for the whole grid. If it differs among zones, this adapter misreads the sign of congestion
 * or the layout. A few such times are reported; the file is refused if there are many.
 */
function checkEnergy(name: string, byHub: Map<string, TimedPrice[]>, account: Account): void {
	const spread = new Map<number, { low: number; high: number }>();
	for (const { at, energy } of [...byHub.values()].flat()) {
		const known = spread.get(at) ?? { low: energy, high: energy };
		spread.set(at, { low: Math.min(known.low, energy), high: Math.max(known.high, energy) });
	}
	const differingTimes = [...spread.values()].filter(({ low, high }) => high - low > 0.05).length;
	if (differingTimes > 0.1 * spread.size)
		throw new StructureError(
			`${name}: the energy component differs among zones at ${differingTimes} of ${spread.size} times; congestion may have changed its sign`,
		);
	for (let at = 0; at < differingTimes; at++) account.note("energy component", "differs among zones of the same time");
}

/** Rows are in the order of time, so a file whose zones end at different times is truncated. */
function checkSameEnd(name: string, byHub: Map<string, TimedPrice[]>): void {
	const ends = new Set([...byHub.values()].map((rows) => rows.at(-1)?.at));
	if (ends.size > 1)
		throw new StructureError(`${name}: the zones end at ${ends.size} different times, so the file is truncated`);
}
