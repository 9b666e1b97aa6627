/** Withdrawn requests are recorded as lists are ingested; the changes and the versions of the requests, read from the beginning, give the same. */
import { expect, test } from "vitest";
import { random } from "../support/file-formats.ts";
import { misoJson, standing } from "./support/miso.ts";
import { openQueue, type Queue } from "./support/queue.ts";

/** The definition: the request is withdrawn, and a change of its status ended a version in which it was not. */
const found = ({ sql }: Queue, since: string) => sql<{ project_id: string; region: string; mw: number }[]>`
	select distinct p.id as project_id, p.region, p.capacity_mw as mw
	from changes c join projects p on p.id = c.project_id
		join project_versions v on v.project_id = p.id and v.valid_to = c.detected_at
	where c.detected_at >= ${since}::timestamptz and c.change_type = 'status_change' and p.status_std = 'Withdrawn'
		and coalesce(c.kind, 'generation') = 'generation' and v.status_std <> 'Withdrawn'
	order by p.id`;

const kept = ({ sql }: Queue, since: string) => sql<{ project_id: string; region: string; mw: number }[]>`
	select project_id, region, capacity_mw as mw from withdrawals
	where withdrawn and detected_at >= ${since}::timestamptz order by project_id`;

const day = (number: number) => new Date(Date.UTC(2026, 2, number, 6)).toISOString();

async function expectKept(queue: Queue, today: number): Promise<number> {
	for (const days of [1, 3, 10, 90]) {
		const since = day(today - days);
		const theirs = [...(await found(queue, since))];
		expect([...(await kept(queue, since))], `${days} days before day ${today}`).toEqual(theirs);
		const { withdrawals_by_region: shown } = await queue.ask("summariseChanges", { since_days: days });
		const mw = theirs.reduce((sum, request) => sum + request.mw, 0);
		expect(shown).toEqual(
			theirs.length === 0
				? []
				: [{ region: "MISO", withdrawn: theirs.length, withdrawn_mw: Math.round(mw * 1000) / 1000 }],
		);
	}
	return (await found(queue, day(0))).length;
}

/** Requests that withdraw, come back, withdraw again, and change otherwise; one list is put back. */
async function takeLists(queue: Queue, each: (today: number) => Promise<unknown>): Promise<void> {
	const chance = random(11);
	const upTo = (most: number) => Math.floor(chance() * most);
	const rows = standing(40);
	for (let today = 1; today <= 24; today++) {
		for (let changed = 0; changed < 4; changed++) {
			const at = upTo(rows.length);
			const row = rows[at] ?? { number: "" };
			rows[at] =
				changed === 3
					? { ...row, summer: 100 + upTo(400) / 8, winter: 100 }
					: { ...row, status: ["Withdrawn", "Withdrawn", "Active", "Done"][upTo(4)] ?? "" };
		}
		const list = misoJson(today === 15 ? [...rows, { number: "J800", status: "Withdrawn" }] : rows);
		expect(await queue.take("MISO", day(today), list)).toMatchObject({ outcome: "applied" });
		await each(today);
	}
}

test("after each list every span has the requests that withdrew in it and still are withdrawn", async () => {
	await using queue = await openQueue();
	const counts: number[] = [];
	await takeLists(queue, async (today) => counts.push(await expectKept(queue, today)));
	expect(Math.max(...counts)).toBeGreaterThan(5);
	// Some came back, or their number would only grow.
	expect(counts.some((count, at) => count < (counts[at - 1] ?? 0))).toBe(true);
}, 120_000);

test("a list that is put back withdraws none, and a request that had withdrawn before has withdrawn again", async () => {
	await using queue = await openQueue();
	const rows = standing(40);
	const withdrawn = rows.map((row, at) => (at < 2 ? { ...row, status: "Withdrawn" } : row));
	await queue.take("MISO", day(1), misoJson(rows));
	await queue.take("MISO", day(2), misoJson(withdrawn));
	await queue.take("MISO", day(3), misoJson(rows));
	expect(await expectKept(queue, 3)).toBe(0);
	expect(await queue.retract("MISO", day(4))).toMatchObject({ outcome: "applied" });
	expect(await expectKept(queue, 4)).toBe(2);
});
