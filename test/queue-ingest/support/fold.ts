/** The rule for every day: the queue as of the day is the newest list of that day or before, whatever was loaded in which order. */
import { expect } from "vitest";
import { ingestLate } from "../../../services/queue-ingest/queues/jobs/late-lists.ts";
import { random } from "../../support/file-formats.ts";
import { misoJson } from "./miso.ts";
import { openQueue, present, type Queue } from "./queue.ts";

type Row = { number: string; summer: number; winter: number; status: string };
interface List {
	day: string;
	rows: Row[];
	/** Found wrong later, and taken back at the moment of the next list. */
	wrong: boolean;
}

const dayOf = (at: number) => new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10);

/** Lists of increasing days, each made of the one before: requests come, change, leave and come back. */
function lists(chance: () => number, count: number): List[] {
	const upTo = (most: number) => Math.floor(chance() * most);
	let rows: Row[] = Array.from({ length: 40 }, (_, at) => row(at, upTo(200)));
	let next = 40;
	return Array.from({ length: count }, (_, at) => {
		if (at > 0) {
			rows = rows
				.filter(() => chance() > 0.03)
				.map((one) => (chance() < 0.15 ? withMegawatts(one, 50 + upTo(300)) : one))
				.map((one) => (chance() < 0.04 ? { ...one, status: "Withdrawn" } : one));
			for (let more = upTo(4); more > 0; more--) rows = [...rows, row(next++, upTo(200))];
		}
		return { day: dayOf(3 * at + upTo(3)), rows, wrong: false };
	});
}

const withMegawatts = (one: Row, mw: number): Row => ({ ...one, summer: mw, winter: mw });

const row = (at: number, mw: number): Row => ({
	number: `J${at + 100}`,
	summer: 10 + mw,
	winter: 10 + mw,
	status: "Active",
});

/** The independent fold: of the lists that still count, the newest of the day or before. */
function expected(all: readonly List[], day: string): Record<string, [number, string]> {
	const counted = all.filter((list) => !list.wrong && list.day <= day);
	const newest = counted.at(-1);
	return Object.fromEntries((newest?.rows ?? []).map((one) => [`MISO-${one.number}`, [one.summer, one.status]]));
}

async function shown(queue: Queue, as_of: string): Promise<Record<string, [number | null, string]>> {
	const { data } = await queue.ask("listProjects", { as_of, per_page: 500 });
	return Object.fromEntries(data.map((one) => [one.id, [one.capacity_mw, one.status_std]]));
}

const dayBefore = (day: string) => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);

/** The queue as of the days around lists in random order, some late, some retracted, or of every day. */
export async function expectFold(seed: number, count: number, everyDay: boolean): Promise<void> {
	await using queue = await openQueue();
	const chance = random(seed);
	const all = lists(chance, count);
	// The last list is loaded in its turn; of the others some come later, in any order.
	const late = all.filter((_, at) => at < all.length - 1 && chance() < 0.5).sort(() => chance() - 0.5);
	const inTurn = all.filter((list) => !late.includes(list));
	const extra: List[] = [];
	for (const [at, list] of inTurn.entries()) {
		const accept = { accept: true };
		if (at > 1 && chance() < 0.4) {
			// Half of the list, a day before the next one; taken back at once.
			const wrong = { day: dayBefore(list.day), rows: list.rows.filter((_, each) => each % 2 === 0), wrong: true };
			if (inTurn[at - 1] !== undefined && wrong.day > (inTurn[at - 1]?.day ?? "")) {
				expect(await queue.take("MISO", wrong.day, misoJson(wrong.rows), accept)).toMatchObject({
					outcome: "applied",
				});
				expect(await queue.retract("MISO", `${wrong.day}T18:00:00Z`)).toMatchObject({
					outcome: "applied",
					reason: null,
				});
				extra.push(wrong);
			}
		}
		expect(await queue.take("MISO", list.day, misoJson(list.rows), accept)).toMatchObject({
			outcome: "applied",
			reason: null,
		});
	}
	for (const list of late) {
		const before = await queue.lastSeq();
		const result = await ingestLate(queue.sql, {
			region: "MISO",
			files: [{ ...misoJson(list.rows), path: "miso.json" }],
			asOf: `${list.day}T06:00:00Z`,
			accept: true,
		});
		// A list of the days before the first one that was loaded is a part of the past like any other.
		expect(result, list.day).toMatchObject({ outcome: "backfilled", rows: list.rows.length });
		const log = await queue.ask("listChanges", { after: before, include: "row", per_page: 500 });
		// A difference on its day has no row; one that exists now has a row.
		for (const change of log.data) {
			expect(change.backfilled).toBe(true);
			expect("project" in change && change.project !== null).toBe(change.change_type === "correction");
		}
	}
	const again = late[0];
	if (again !== undefined)
		expect(
			await ingestLate(queue.sql, {
				region: "MISO",
				files: [{ ...misoJson(again.rows), path: "miso.json" }],
				asOf: `${again.day}T06:00:00Z`,
			}),
		).toMatchObject({ outcome: "unchanged" });
	// The present is what a queue has that took the lists in their order.
	await using other = await openQueue();
	for (const { day, rows } of all) await other.take("MISO", day, misoJson(rows), { accept: true });
	expect(await present(queue)).toEqual(await present(other));
	queue.now = "2027-01-01T00:00:00Z";
	const around = [...all, ...extra].flatMap(({ day }) => [dayBefore(day), day]);
	for (const day of everyDay ? Array.from({ length: 3 * count + 4 }, (_, at) => dayOf(at)) : around) {
		expect(await shown(queue, day), day).toEqual(expected(all, day));
	}
	const meta = (await queue.ask("listProjects", { as_of: "2026-12-31", per_page: 1 })).meta;
	expect((meta.corrections ?? 0) > 0).toBe(late.length + extra.length > 0);
}
