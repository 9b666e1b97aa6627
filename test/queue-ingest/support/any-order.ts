/**
 * Whichever list was loaded first, the queue as of a day is the same: lists of all requests, lists of open requests that finished ones leave,
 * rows that say less than others, lists that are taken back, and two lists of one operator, between which requests move.
 */
import { expect } from "vitest";
import type { Region } from "#libs/contract/vocabulary.ts";
import { ingestLate } from "../../../services/queue-ingest/queues/jobs/late-lists.ts";
import { random } from "../../support/file-formats.ts";
import { type QueueFeed, type QueueRow, type QueueStatus, queueFile, queueRows } from "../../support/queue-files.ts";
import { openQueue, present, type Queue } from "./queue.ts";

interface List {
	feed: QueueFeed;
	day: string;
	rows: QueueRow[];
	/** Numbers of rows that say that the request has moved. */
	moved: string[];
}
type Shown = [number: string, status: QueueStatus, mw: number];

const regionOf: Partial<Record<QueueFeed, Region>> = {
	miso: "MISO",
	spp: "SPP",
	ercot: "ERCOT",
	"pjm-serial": "PJM",
	"pjm-cycle": "PJM",
};
const dropsFinished = (feed: QueueFeed) => feed === "spp" || feed === "ercot";
const isFinished = (status: QueueStatus) => status === "withdrawn" || status === "operational";
/** ERCOT's requests that are in the sheets of updates alone. */
const isLesser = ({ feed }: List, { status }: QueueRow) =>
	feed === "ercot" && (status === "suspended" || status === "withdrawn");

const dayOf = (at: number) => new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10);

class Course {
	readonly #chance: () => number;
	#next = 31;
	constructor(seed: number) {
		this.#chance = random(seed);
	}
	upTo = (most: number) => Math.floor(this.#chance() * most);
	isOf = (share: number) => this.#chance() < share;
	shuffled = <T>(all: readonly T[]): T[] =>
		all
			.map((each) => ({ each, place: this.#chance() }))
			.sort((a, b) => a.place - b.place)
			.map(({ each }) => each);

	/** Requests come, change their size and status, leave the list and come back. */
	listsOf(feed: QueueFeed, count: number): List[] {
		const every = queueRows(feed, { count: 80 });
		let known = every.slice(0, 30).map((row) => ({ ...row, status: "active" as QueueStatus }));
		// MISO suspends none.
		const suspended = feed === "miso" ? "withdrawn" : "suspended";
		const statuses: QueueStatus[] = ["active", suspended, "operational", "withdrawn"];
		return Array.from({ length: count }, (_, at) => {
			if (at > 0) {
				known = known.map((row) => {
					const status = this.isOf(0.2) ? (statuses[this.upTo(4)] ?? "active") : row.status;
					const ended = isFinished(status) ? dayOf(at) : null;
					return { ...row, status, ended, mw: this.isOf(0.2) ? 20 + this.upTo(300) : row.mw };
				});
				const more = every.slice(this.#next, this.#next + this.upTo(3));
				this.#next += more.length;
				known = [...known, ...more.map((row) => ({ ...row, status: "active" as QueueStatus, ended: null }))];
			}
			const rows = known.filter(({ status }) => this.isOf(isFinished(status) ? 0.5 : 0.9));
			return { feed, day: dayOf(3 * at + this.upTo(3)), rows, moved: [] };
		});
	}

	/** The serial list of PJM and that of the cycles, to which requests move: the serial one then says so in a row, states them still, or not. */
	listsOfTwo(count: number): List[] {
		const serial = this.listsOf("pjm-serial", count);
		const cycle: List[] = serial.slice(2).map(({ day }) => ({ feed: "pjm-cycle", day, rows: [], moved: [] }));
		for (const { number } of serial[0]?.rows.slice(0, 12) ?? []) {
			const from = this.upTo(cycle.length);
			let row = serial[0]?.rows.find((each) => each.number === number);
			for (const [at, list] of cycle.entries()) {
				if (at < from || row === undefined) continue;
				row = { ...row, mw: this.isOf(0.3) ? 20 + this.upTo(300) : row.mw };
				list.rows.push(row);
			}
			const moves = cycle[from]?.day ?? "";
			const says = this.upTo(3);
			for (const list of serial) {
				// The row that says so can come before the list that has it.
				if (list.day < moves && !(says === 1 && this.isOf(0.3))) continue;
				if (says === 0) continue;
				list.rows = list.rows.filter((each) => each.number !== number);
				if (says === 1) list.moved.push(number);
			}
		}
		return [...serial, ...cycle.filter(({ rows }) => rows.length > 0)].sort((a, b) => a.day.localeCompare(b.day));
	}
}

/** The independent fold: what each list said last, the cycle's before the serial one's. */
function expected(lists: readonly List[], day: string): Shown[] {
	const shown = new Map<string, Shown>();
	for (const feed of ["pjm-cycle", "pjm-serial", "miso", "spp", "ercot"] as const) {
		const known = new Map<string, { row: QueueRow; listed: boolean }>();
		for (const list of lists.filter((each) => each.feed === feed && each.day <= day)) {
			for (const [number, { row, listed }] of known) {
				const stays = list.moved.includes(number) || (listed && dropsFinished(feed) && isFinished(row.status));
				known.set(number, { row, listed: stays });
			}
			for (const row of list.rows) {
				const before = known.get(row.number);
				const mw = isLesser(list, row) && before !== undefined ? before.row.mw : row.mw;
				known.set(row.number, { row: { ...row, mw }, listed: true });
			}
		}
		for (const [number, { row, listed }] of known)
			if (listed && !shown.has(number)) shown.set(number, [number, row.status, row.mw]);
	}
	return [...shown.values()].sort(([a], [b]) => a.localeCompare(b));
}

async function shown(queue: Queue, as_of: string): Promise<Shown[]> {
	const { data } = await queue.ask("listProjects", { as_of, per_page: 500 });
	return data
		.map((one): Shown => [one.queue_id, one.status_std.toLowerCase() as QueueStatus, one.capacity_mw ?? 0])
		.sort(([a], [b]) => a.localeCompare(b));
}

async function fileOf({ feed, day, rows, moved }: List) {
	const withdrawn = moved.flatMap((number) => {
		const row = queueRows(feed, { count: 80 }).find((each) => each.number === number);
		return row === undefined ? [] : [{ ...row, number: `${number} - moved to TC1`, status: "withdrawn" as const }];
	});
	const layout = feed === "pjm-serial" ? { layout: "csv" } : {};
	return queueFile(feed, [...rows, ...withdrawn], { publishedOn: day, ...layout });
}

async function takeLate(queue: Queue, list: List) {
	const region = regionOf[list.feed] ?? "PJM";
	const asOf = `${list.day}T06:00:00Z`;
	const files = [await fileOf(list)];
	const before = await queue.lastSeq();
	const result = await ingestLate(queue.sql, { region, files, asOf, accept: true });
	expect(result, list.day).toMatchObject({ outcome: "backfilled", reason: null });
	const { data } = await queue.ask("listChanges", { after: before, include: "row", per_page: 500 });
	for (const change of data) {
		expect(change.backfilled).toBe(true);
		// A difference on its day has no row; one that exists now has a row.
		expect("project" in change && change.project !== null).toBe(change.change_type === "correction");
	}
	expect(await ingestLate(queue.sql, { region, files, asOf })).toMatchObject({ outcome: "unchanged" });
}

/** The present and each state of the history are what a queue has that took the lists in their order. */
async function expectAsInOrder(queue: Queue, lists: readonly List[]) {
	await using other = await openQueue();
	for (const list of lists.toSorted((a, b) => a.day.localeCompare(b.day) || a.feed.localeCompare(b.feed)))
		await other.take(regionOf[list.feed] ?? "PJM", list.day, await fileOf(list), { accept: true });
	expect(await present(queue)).toEqual(await present(other));
	expect(await spans(queue)).toEqual(await spans(other));
}

const spans = async ({ sql }: Queue) => [
	...(await sql`
		select project_id, valid_from, valid_to, status_std, status_basis, as_filed, listed, feed, row_hash, first_seen_at, last_changed_at from project_versions
		where valid_to is distinct from valid_from order by project_id, valid_from`),
];

const dayBefore = (day: string) => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);

export const operators = ["miso", "spp", "ercot", "pjm"] as const;

/** The queue as of the days around lists that are loaded in a given order, or of every day. */
export async function expectAnyOrder(
	of: (typeof operators)[number],
	seed: number,
	count: number,
	everyDay: boolean,
): Promise<void> {
	await using queue = await openQueue();
	const course = new Course(seed);
	const lists = of === "pjm" ? course.listsOfTwo(count) : course.listsOf(of, count);
	const last = (feed: QueueFeed) => lists.findLast((list) => list.feed === feed);
	const late = lists.filter((list) => list !== last(list.feed) && course.isOf(0.6));
	let waiting = course.shuffled(late);
	const wrong = new Set<List>();
	const inTurn = lists.filter((each) => !late.includes(each));
	// Two of a day come in one snapshot or in two.
	const together = Map.groupBy(inTurn, ({ feed, day }) => (course.isOf(0.5) ? day : `${day} ${feed}`));
	for (const [at, some] of [...together.values()].entries()) {
		const { day } = some[0] ?? { day: "" };
		const region = regionOf[some[0]?.feed ?? "spp"] ?? "PJM";
		const files = await Promise.all(some.map(fileOf));
		const taken = await queue.take(region, day, files, { accept: true });
		expect(taken, day).toMatchObject({ outcome: "applied", reason: null });
		// Some come before the next one that is loaded in its turn.
		const now = waiting.filter(
			(each) => some.some((list) => list.feed === each.feed && each.day < list.day) && course.isOf(0.5),
		);
		for (const each of now) await takeLate(queue, each);
		waiting = waiting.filter((each) => !now.includes(each));
		if (of === "pjm" || at === 0 || at === together.size - 1 || course.isOf(0.6)) continue;
		const retracted = await queue.retract(region, `${day}T18:00:00Z`);
		expect(retracted, day).toMatchObject({ outcome: "applied", reason: null });
		for (const list of some) wrong.add(list);
	}
	for (const each of waiting) await takeLate(queue, each);
	const counted = lists.filter((list) => !wrong.has(list));
	await expectAsInOrder(queue, counted);
	queue.now = "2027-01-01T00:00:00Z";
	const around = lists.flatMap(({ day }) => [dayBefore(day), day]);
	const { meta } = await queue.ask("listProjects", { as_of: "2026-12-31", per_page: 1 });
	expect((meta.corrections ?? 0) > 0).toBe(late.length + wrong.size > 0);
	for (const day of everyDay ? Array.from({ length: 30 }, (_, at) => dayOf(at)) : new Set(around))
		expect(await shown(queue, day), day).toEqual(expected(counted, day));
}
