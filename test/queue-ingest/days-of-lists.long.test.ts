/**
 * The queue as of 200 days of the operators' archived lists, drawn at random, is what an independent fold over the same files finds, request
 * by request: loaded as they were published, and all but the newest later, in any order.
 */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { parse } from "csv-parse/sync";
import { beforeAll, describe, expect, test } from "vitest";
import { type Region, regions, type Status } from "#libs/contract/vocabulary.ts";
import { ingestSnapshot } from "../../services/queue-ingest/queues/jobs/ingest-snapshot.ts";
import { ingestLate } from "../../services/queue-ingest/queues/jobs/late-lists.ts";
import { realData } from "../../tools/bench/real-data.ts";
import { numberKey } from "../../tools/truth/files.ts";
import { random } from "../support/file-formats.ts";
import { type ArchivedList, archivedLists, foldLists, type Listed, totalsOf } from "./support/archived-lists.ts";
import { openQueue, type Queue } from "./support/queue.ts";

const folders = [realData, resolve(realData, "../archive")];
const lists = existsSync(join(realData, "miso")) ? archivedLists(folders, regions) : [];
if (lists.length === 0) console.warn(`Skipped: days of archived lists, as ${realData} holds none (set REAL_DATA_DIR).`);

const chance = random(20_261_120);
const [first = "", last = ""] = [lists[0]?.day, lists.at(-1)?.day];

/** Days from the one before the first list to that of the newest. */
function drawDays(): string[] {
	const span = (Date.parse(last) - Date.parse(first)) / 86_400_000;
	const days = new Set<string>();
	while (days.size < 200)
		days.add(
			new Date(Date.parse(first) + 86_400_000 * Math.floor(chance() * (span + 2) - 1)).toISOString().slice(0, 10),
		);
	return [...days].sort();
}

const shuffled = <T>(all: readonly T[]): T[] =>
	all
		.map((each) => ({ each, place: chance() }))
		.sort((a, b) => a.place - b.place)
		.map(({ each }) => each);

async function take(
	{ sql }: Queue,
	{ path, region }: ArchivedList,
	ingest: (...asked: Parameters<typeof ingestSnapshot>) => Promise<object> = ingestSnapshot,
): Promise<void> {
	const folder = folders.find((each) => path.startsWith(each)) ?? "";
	const file = { name: basename(path), path: relative(folder, path), bytes: await readFile(path) };
	const result = await ingest(sql, { region, files: [file], asOf: null, accept: true });
	expect(result, path).toMatchObject({ outcome: ingest === ingestSnapshot ? "applied" : "backfilled", reason: null });
}

const fields = "queue_id,region,status_std,capacity_mw";

async function shownOn(queue: Queue, as_of: string): Promise<Listed[]> {
	const csv = await queue.export({ population: "all", fields, as_of });
	const rows: { queue_id: string; region: Region; status_std: Status; capacity_mw: string }[] = parse(csv, {
		columns: true,
	});
	return rows.map(({ queue_id, region, status_std, capacity_mw }) => ({
		region,
		number: numberKey(queue_id),
		status: status_std,
		megawatts: Number(capacity_mw),
	}));
}

/** Each request as a line, less those that the others have, a line as often as it is there. */
function onlyIn(some: readonly Listed[], others: readonly Listed[]): string[] {
	const line = ({ region, number, status, megawatts }: Listed) =>
		`${region} ${number} ${status} ${Math.round(megawatts * 100) / 100}`;
	const counts = new Map<string, number>();
	for (const other of others) counts.set(line(other), (counts.get(line(other)) ?? 0) + 1);
	return some.map(line).filter((each) => {
		const left = counts.get(each) ?? 0;
		counts.set(each, left - 1);
		return left <= 0;
	});
}

describe.skipIf(lists.length === 0)("200 days of the archived lists", () => {
	const days = lists.length === 0 ? [] : drawDays();
	let folded: Awaited<ReturnType<typeof foldLists>>;
	beforeAll(async () => {
		folded = await foldLists(lists);
	}, 900_000);

	async function compareDays(queue: Queue): Promise<void> {
		queue.now = `${last}T23:59:59Z`;
		const differing: { day: string; shown: string[]; expected: string[] }[] = [];
		for (const day of days) {
			const [shown, expected] = [await shownOn(queue, day), folded(day)];
			const [more, less] = [onlyIn(shown, expected), onlyIn(expected, shown)];
			if (more.length + less.length > 0) differing.push({ day, shown: more.slice(0, 10), expected: less.slice(0, 10) });
			else expect({ day, ...totalsOf(shown) }).toEqual({ day, ...totalsOf(expected) });
		}
		expect(differing).toEqual([]);
	}

	/** The newest day is the present. */
	async function expectPresent(queue: Queue): Promise<void> {
		const all = { population: "all", fields, include_unlisted: true } as const;
		expect(await queue.export({ ...all, as_of: last })).toBe(await queue.export(all));
	}

	test("match when loaded as they were published", async () => {
		await using queue = await openQueue();
		for (const list of lists) await take(queue, list);
		await compareDays(queue);
		await expectPresent(queue);
	}, 3_600_000);

	test("match when loaded in any order after the newest", async () => {
		await using queue = await openQueue();
		const newest = lists.filter(({ publication, day }) =>
			lists.every((other) => other.publication !== publication || other.day <= day),
		);
		for (const list of newest) await take(queue, list);
		const late = lists.filter((list) => !newest.includes(list));
		// A correction follows the file of the same day that it corrects.
		const byDay = Map.groupBy(late, ({ publication, day }) => `${publication.path} ${day}`);
		for (const list of shuffled([...byDay.values()]).flat()) await take(queue, list, ingestLate);
		await compareDays(queue);
		await expectPresent(queue);
	}, 3_600_000);
});
