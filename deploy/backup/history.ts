/**
 * Which copies lead to which history. A restore begins a new one (PostgreSQL: timeline), and what the old one wrote afterwards stays in the
 * archive beside it: a copy of that lost future is no beginning for the new history.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A place in the WAL, as PostgreSQL writes it: `0/3000148`. */
export function readLsn(text: string): bigint {
	const [high = "", low = ""] = text.split("/");
	return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

/** The timeline that a file of WAL is of. */
export const timelineOf = (walFile: string): number => Number.parseInt(walFile.slice(0, 8), 16);

/** The newest timeline that the archive knows. */
export function latestTimeline(wal: string): number {
	const names = existsSync(wal) ? readdirSync(wal) : [];
	return Math.max(1, ...names.filter((name) => /^[0-9A-F]{8}\.history$/.test(name)).map(timelineOf));
}

/** Where each timeline before this one was left for the next, by its number; this one itself has no end. */
export function branchPoints(wal: string, timeline: number): Map<number, bigint> {
	const points = new Map<number, bigint>();
	if (timeline === 1) return points;
	const name = `${timeline.toString(16).toUpperCase().padStart(8, "0")}.history`;
	// A line each: timeline, place, reason.
	for (const line of readFileSync(join(wal, name), "utf8").split("\n")) {
		const [, number, place] = /^\s*(\d+)\s+([0-9A-F]+\/[0-9A-F]+)/.exec(line) ?? [];
		if (number !== undefined && place !== undefined) points.set(Number(number), readLsn(place));
	}
	return points;
}
