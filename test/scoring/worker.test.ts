/** The worker that computes queued requests: with concurrent workers and writers, after failures, and from day to day. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Transaction } from "#libs/postgres/connect.ts";
import { isQueueEmpty, scoreBatch, scoreQueued } from "../../services/scoring/jobs/scoring-worker.ts";
import { eventually } from "../support/eventually.ts";
import { type Delivery, developer, filing, news, project, raise, transfer } from "./support/deliver.ts";
import {
	developerEvent,
	filingEvent,
	named,
	newsEvent,
	type ProjectChanged,
	projectEvent,
	raiseEvent,
	transferEvent,
} from "./support/history.ts";
import { openScoring, type TestScoring } from "./support/scoring.ts";
import { expectNoCircle, expectUnchanged } from "./support/two-workers.ts";

const noon = "2026-11-20T12:00:00Z";

let service: TestScoring;
beforeAll(async () => {
	service = await openScoring();
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(async () => {
	await service.clear();
	service.clock.now = new Date(noon);
	service.errors.length = 0;
});

const request = (id: string, version = 1, more: Partial<ProjectChanged["project"]> = {}): Delivery =>
	project(projectEvent(id, version, more));
/** Computing everything again changes nothing. */
const expectSettled = () => expectUnchanged(service);

/** A transaction that commits when it is released. */
function hold(work: (tx: Transaction) => PromiseLike<unknown>) {
	const { promise: released, resolve } = Promise.withResolvers<void>();
	const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
	const done = service.sql.begin(async (tx) => {
		await work(tx);
		reach();
		await released;
	});
	return {
		reached,
		async release() {
			resolve();
			await done;
		},
	};
}

async function isWaiting(lock: "relation" | "advisory" | "transactionid"): Promise<boolean> {
	const waiting = await service.sql`
		select from pg_locks join pg_stat_activity using (pid)
		where not granted and locktype = ${lock} and datname = current_database()`;
	return waiting.count > 0;
}

test("for a list larger than a batch, each developer is rated once and each request scored once", async () => {
	const [developers, requests] = [60, 1_100];
	await service.sql`
		create function note_score() returns trigger language plpgsql as $$
		begin update settings_notes set written = written + 1; return null; end $$`;
	await service.sql`create table settings_notes as select 0 as written`;
	await service.sql`create trigger noted after insert or update on scores for each row execute function note_score()`;
	await using _ = {
		async [Symbol.asyncDispose]() {
			await service.sql`drop function note_score cascade`;
			await service.sql`drop table settings_notes`;
		},
	};
	await service.deliver(
		...Array.from({ length: developers }, (_, at) => developer(developerEvent(at + 1, 1))),
		...Array.from({ length: requests }, (_, at) =>
			request(`ERCOT-${at}`, 1, { developer_id: 1 + (at % developers), name: `Plant ${at}`, poi: `Bus ${at}` }),
		),
	);
	await service.compute();
	expect(await service.rows("select to_jsonb(written) as row from settings_notes")).toEqual([requests]);
	expect(await service.rows("select to_jsonb(count(*)) as row from developer_ratings")).toEqual([developers]);
	await expectSettled();
});

test("a request is queued while it is open and once when it closes; nothing is computed for one that was never open", async () => {
	const marked = () =>
		service.rows("select to_jsonb(project_id) as row from project_recompute_queue order by project_id");
	await service.deliver(
		request("ERCOT-1", 1, { status_std: "Withdrawn" }),
		request("ERCOT-2", 1, { status_std: "Operational" }),
		request("ERCOT-3"),
	);
	expect(await marked()).toEqual(["ERCOT-3"]);
	await service.compute();
	await service.deliver(
		request("ERCOT-1", 2, { status_std: "Withdrawn", capacity_mw: 7 }),
		request("ERCOT-2", 2, { status_std: "Active" }),
		request("ERCOT-3", 2, { status_std: "Withdrawn" }),
	);
	expect(await marked()).toEqual(["ERCOT-2", "ERCOT-3"]);
	await service.compute();
	expect((await service.moments()).map(([id]) => id)).toEqual(["ERCOT-2"]);
	// A score of it was published, before these tables were made anew.
	await service.deliver(request("ERCOT-4", 1, { status_std: "Withdrawn", investability_score: 40 }));
	expect(await marked()).toEqual(["ERCOT-4"]);
	await service.compute();
	await expectSettled();
});

describe("two workers and two consumers", () => {
	test("do not deadlock, and have the same result as one worker", () => expectNoCircle(service, 1, 100));

	test("a request that is queued during its computation is computed again by the next worker", async () => {
		await service.deliver(developer(developerEvent(1, 1)), request("ERCOT-1", 1, { developer_id: 1 }));
		const telling = hold((tx) => tx`lock table published_scores in exclusive mode`);
		await telling.reached;
		// The worker has taken the marks and rated the developer when it waits to publish the result.
		const computing = scoreBatch(service.sql, service.scoring);
		await eventually(() => isWaiting("relation"));
		const late = news(newsEvent(1, 1, { event_type: "litigation", developers: [named(1)] }));
		await service.deliver(late);
		const next = scoreBatch(service.sql, service.scoring);
		await eventually(() => isWaiting("advisory"));
		await telling.release();
		expect([await computing, await next]).toEqual([true, true]);
		await service.compute();
		expect(await service.rows("select counts -> 'litigation' as row from developer_ratings")).toEqual([1]);
		await expectSettled();
	});

	test.each<[string, Delivery, Delivery]>([
		["a headline while nothing is", developer(developerEvent(1, 1)), news(newsEvent(1, 1, { developers: [named(1)] }))],
		["its twin", request("ERCOT-1", 1, { name: "Twin" }), request("ERCOT-2", 1, { name: "Twin" })],
		["a deal", developer(developerEvent(1, 1)), transfer(transferEvent(1, 1, { buyer_canonical: "Developer 1" }))],
	])("the result of two facts that arrive at once is computed (%s)", async (_, one, another) => {
		const first = hold((tx) => one.deliverIn(tx));
		await first.reached;
		const second = hold((tx) => another.deliverIn(tx));
		let received = false;
		void second.reached.then(() => {
			received = true;
		});
		await eventually(async () => received || (await isWaiting("advisory")));
		await first.release();
		await second.reached;
		let computed = false;
		const computing = service.compute().then(() => {
			computed = true;
		});
		await eventually(async () => computed || (await isWaiting("transactionid")));
		await second.release();
		await computing;
		await service.compute();
		await expectSettled();
	});
});

describe("a request that the database refuses", () => {
	test("does not prevent other scores, is a dead letter, and is scored once it can be", async () => {
		await service.sql.unsafe(`
			create function refuse() returns trigger language plpgsql as
				$$ begin raise exception 'refused: %', new.project_id; end $$;
			create trigger refuse before insert or update on scores for each row when (new.project_id = 'ERCOT-3')
				execute function refuse()`);
		try {
			await service.deliver(...["1", "2", "3", "4"].map((id) => request(`ERCOT-${id}`)));
			await service.deliver(developer(developerEvent(1, 1)));
			await service.compute();
			expect((await service.moments()).map(([id]) => id)).toEqual(["ERCOT-1", "ERCOT-2", "ERCOT-4"]);
			expect(await service.rows("select to_jsonb(developer_id) as row from developer_ratings")).toEqual([1]);
			expect(await service.deadLetters()).toEqual(["ERCOT-3"]);
			expect(await isQueueEmpty(service.sql)).toBe(true);
			expect(JSON.stringify(await service.outbox())).not.toContain("ERCOT-3");
			// On the next day too.
			service.clock.now = new Date("2026-11-21T00:00:01Z");
			await service.deliver(request("ERCOT-4", 2, { construction_stage: "construction" }), request("ERCOT-5"));
			await service.compute();
			expect(await isQueueEmpty(service.sql)).toBe(true);
			expect((await service.moments()).map(([id]) => id)).toEqual(["ERCOT-1", "ERCOT-2", "ERCOT-4", "ERCOT-5"]);
		} finally {
			await service.sql`drop function refuse cascade`;
		}
		await service.deliver(request("ERCOT-3", 2, { capacity_mw: 50 }));
		await service.compute();
		expect((await service.moments()).map(([id]) => id)).toContain("ERCOT-3");
		await expectSettled();
	});
});

describe("another day", () => {
	/** A request of the list of the day before. */
	const request = (id: string, version: number, more: Partial<ProjectChanged["project"]>): Delivery =>
		project({ ...projectEvent(id, version, more), as_of: "2026-11-20T00:00:00Z" });
	/** The last day of one thing each, and what has none. */
	const facts = (): Delivery[] => [
		developer(developerEvent(1, 1)),
		developer(developerEvent(2, 1)),
		request("ERCOT-date", 1, { cod: "2026-11-20" }),
		request("ERCOT-news", 1, { developer_id: 1, developer_tier: "independent", queue_date: "2023-03-01" }),
		request("ERCOT-quiet", 1, { queue_date: "2023-03-01" }),
		request("ERCOT-quiet-developer", 1, { developer_id: 2, developer_tier: "independent" }),
		request("ERCOT-withdrawn", 1, { status_std: "Withdrawn", developer_id: 2, queue_date: "2024-11-21" }),
		filing(filingEvent("bankrupt", 1, { filing_date: "2024-11-20", developer_id: 1, item_codes: ["1.03"] })),
		raise(raiseEvent("old", 1, { filing_date: "2023-11-20", developer_id: 1 })),
	];

	test("computes requests that passed a threshold, without an event, and no others", async () => {
		await service.deliver(...facts());
		await service.compute();
		const before = new Map(await service.moments());
		const levels = () =>
			service.rows("select to_jsonb(distress_level) as row from developer_ratings order by developer_id");
		const raised = () =>
			service.rows("select counts -> 'capitalRaised36Months' as row from developer_ratings order by developer_id");
		expect([await levels(), await raised()]).toEqual([
			["High", "unknown"],
			[60_000_000, 0],
		]);
		await service.sql`delete from outbox`;
		service.clock.now = new Date("2026-11-21T00:00:01Z");
		await service.compute();
		expect([await levels(), await raised()]).toEqual([
			["unknown", "unknown"],
			[0, 0],
		]);
		const later = (await service.moments()).filter(([id, at]) => before.get(id) !== at).map(([id]) => id);
		// Ages are judged by the day of the list, which is the same. The date of ERCOT-date has passed, which its result does not show.
		expect(later).toEqual(["ERCOT-date", "ERCOT-news"]);
		const published = (await service.outbox()).map((id) => id.replace(/:\d+$/, ""));
		expect(published).toEqual(["developer.rated:1", "project.scored:ERCOT-news"]);
		await expectSettled();
		const made = await service.made();
		await service.clear();
		await service.deliver(...facts());
		await service.compute();
		expect(await service.made()).toEqual(made);
	});

	test("of a list computes requests that passed a threshold by it, unchanged ones too", async () => {
		await service.deliver(...facts());
		service.clock.now = new Date("2026-11-30T00:00:01Z");
		await service.compute();
		const before = new Map(await service.moments());
		service.clock.now = new Date("2026-11-30T01:00:00Z");
		const other = { ...projectEvent("ERCOT-new", 1), as_of: "2026-11-21T00:00:00Z" };
		const computed = async () => {
			await service.compute();
			return (await service.moments()).filter(([id, at]) => before.get(id) !== at).map(([id]) => id);
		};
		// Numbered as the list before, and then as a list before that one: the day stays.
		await service.deliver(project({ ...other, as_of: "2026-11-20T00:00:00Z" }));
		expect(await computed()).toEqual(["ERCOT-new"]);
		await service.deliver(project({ ...other, id: "older", version: 2, snapshot_id: 6 }));
		expect(await computed()).toEqual(["ERCOT-new"]);
		await service.deliver(project({ ...other, id: "newer", version: 3, snapshot_id: 8 }));
		expect(await computed()).toEqual(["ERCOT-date", "ERCOT-new"]);
		await expectSettled();
	});

	test("of a list, not of the clock, makes a developer's request late", async () => {
		const behind = async () => {
			await service.compute();
			return service.rows("select counts -> 'behind' as row from developer_ratings order by developer_id");
		};
		const listed = (id: string, version: number, as_of: string, more: Parameters<typeof projectEvent>[2] = {}) =>
			project({ ...projectEvent(id, version, more), as_of, snapshot_id: version });
		const late = { cod: "2026-11-12", developer_id: 1 };
		await service.deliver(developer(developerEvent(1, 1)), listed("ERCOT-late", 1, "2026-11-10T00:00:00Z", late));
		expect(await behind()).toEqual([0]);
		service.clock.now = new Date("2026-11-30T00:00:01Z");
		expect(await behind()).toEqual([0]);
		await service.deliver(listed("ERCOT-other", 2, "2026-11-13T00:00:00Z"));
		expect(await behind()).toEqual([1]);
		await expectSettled();
	});

	test("of a retracted list is replaced by the day of the restored one", async () => {
		const positions = () => service.rows("select inputs -> 'cod_position' as row from scores");
		const listed = (version: number, snapshot_id: number, as_of: string) =>
			project({ ...projectEvent("ERCOT-date", version, { cod: "2026-11-05" }), as_of, snapshot_id });
		await service.deliver(listed(1, 1, "2026-11-10T00:00:00Z"));
		await service.compute();
		expect(await positions()).toEqual(["past"]);
		await service.deliver(listed(2, 2, "2026-11-01T00:00:00Z"));
		await service.compute();
		expect(await positions()).toEqual(["passed_since"]);
		await expectSettled();
	});

	test("makes a request not investable once its projected date has passed", async () => {
		const read = () => service.rows("select json_build_array(inputs -> 'cod_position', eligible) as row from scores");
		await service.deliver(project(projectEvent("ERCOT-date", 1, { cod: "2026-11-25", ia_status: "IA Executed" })));
		await service.compute();
		expect(await read()).toEqual([["ahead", true]]);
		service.clock.now = new Date("2026-11-26T00:00:01Z");
		await service.compute();
		expect(await read()).toEqual([["passed_since", false]]);
		await expectSettled();
	});

	test("begins once, even if another replica's clock is behind", async () => {
		await service.deliver(...facts());
		const evening = { ...service.scoring, now: () => new Date("2026-11-20T23:59:59Z") };
		const morning = { ...service.scoring, now: () => new Date("2026-11-21T00:00:01Z") };
		await scoreQueued(service.sql, evening);
		expect(await scoreBatch(service.sql, morning)).toBe(true);
		await scoreQueued(service.sql, morning);
		for (const clock of [evening, morning, evening, morning]) expect(await scoreBatch(service.sql, clock)).toBe(false);
	});
});
