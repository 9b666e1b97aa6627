/** An hourly price at a hub, and checks and the row account that all feeds of market prices share. Pure. */
import type { HubType } from "#libs/contract/vocabulary.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { RowAccount } from "../../../sources/row-account.ts";
import { hourMs, type LocalClock } from "./local-clock.ts";

/** Prices in USD/MWh, with components that add up: lmp = energy + congestion + loss. */
export interface HourPrice {
	hubId: string;
	hub: string;
	hubType: HubType;
	/** Beginning of the hour, ISO 8601 in UTC. */
	startsAt: string;
	lmp: number;
	energy: number | null;
	congestion: number | null;
	loss: number | null;
	/** Minutes of the hour that the average covers. */
	minutes: number;
	/** The operator's version number of the price, if it states one. */
	version: number | null;
}

/** Plausible prices (USD/MWh). Offer and price caps are far inside this range. */
const plausiblePrices = { min: -2_000, max: 10_000 };

export function findPriceFault(lmp: number | null): string | null {
	if (lmp === null) return "no price";
	return lmp < plausiblePrices.min || lmp > plausiblePrices.max ? "a price outside -2000 to 10000 USD/MWh" : null;
}

export class Account extends RowAccount<never> {
	note(field: string, value: string): void {
		this.unknown(field, value, `${field} ${value}, kept as filed`);
	}
}

export function checkSum(account: Account, { lmp, energy, congestion, loss }: Omit<HourPrice, "hubType">): void {
	if (energy === null || congestion === null || loss === null) return;
	if (Math.abs(lmp - energy - congestion - loss) > 0.010_001)
		account.note("sum of components", "off by more than 0.01 USD/MWh");
}

/** Rounds to a hundredth of a cent, the precision of an average of published cents. */
export const roundPrice = (value: number): number => Math.round(value * 10_000) / 10_000;

export const iso = (time: number): string => new Date(time).toISOString();

export function daysOf(rows: readonly HourPrice[], clock: LocalClock): { first: string; last: string } {
	let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
	for (const { startsAt } of rows) {
		const at = Date.parse(startsAt);
		first = Math.min(first, at);
		last = Math.max(last, at);
	}
	if (last < first) throw new StructureError("the file contains no price");
	return { first: clock.dayOf(first), last: clock.dayOf(last) };
}

/**
 * Names the edition of an export after its range and its hubs, which a person chose, so that an export of another range or other hubs replaces
 * nothing. Hours that two exports share are served once.
 */
export function editionOf(rows: readonly HourPrice[], clock: LocalClock): string {
	const { first, last } = daysOf(rows, clock);
	const hubs = [...new Set(rows.map(({ hubId }) => hubId))].sort();
	const hubNames = hubs.length <= 20 ? hubs.join("+") : `${hubs.length} hubs from ${hubs[0]} to ${hubs.at(-1)}`;
	return `${first}..${last} ${hubNames}`;
}

/** Refuses a file that ends within a hub's local day: it is truncated, or was written before the day ended. */
export function checkWholeDays(name: string, rows: readonly HourPrice[], clock: LocalClock): void {
	const { first, last } = daysOf(rows, clock);
	const begin = clock.hoursOf(first)[0]?.startsAt;
	const end = clock.hoursOf(last).at(-1)?.startsAt;
	const spans = new Map<string, { from: number; to: number }>();
	for (const { hub, startsAt } of rows) {
		const at = Date.parse(startsAt);
		const span = spans.get(hub) ?? { from: at, to: at };
		spans.set(hub, { from: Math.min(span.from, at), to: Math.max(span.to, at) });
	}
	for (const [hub, { from, to }] of spans) {
		if (from === begin && to === end) continue;
		const range = `${iso(from)} to ${iso(to + hourMs)}`;
		throw new StructureError(
			`${name}: ${hub} has prices from ${range}, not whole days from ${first} to ${last}: possibly truncated`,
		);
	}
}
