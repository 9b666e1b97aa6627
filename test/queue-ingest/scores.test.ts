/** Scores as they are stored with requests and developers. */
import { describe, expect, it } from "vitest";
import { readDataVersion } from "#libs/postgres/data-version.ts";
import { syncRegister } from "../../services/queue-ingest/developers/jobs/register.ts";
import { lockWriters } from "../../services/queue-ingest/sources/locks.ts";
import { eventually } from "../support/eventually.ts";
import { registerWith } from "./support/developers.ts";
import { openQueue, type Queue } from "./support/queue.ts";
import {
	developerIdOf,
	ercotRows,
	expectTrue,
	fillScored,
	idOf,
	projectOf,
	rate,
	rated,
	score,
	scored,
	takeErcot,
	unscored,
} from "./support/scoring.ts";
import { sharedQueue } from "./support/shared-queue.ts";

describe("a score", () => {
	const queue: Queue = sharedQueue(() => fillScored(queue));

	it("is stored with its request, without a new version or event", async () => {
		const before = await projectOf(queue, 0);
		const version = await readDataVersion(queue.sql);
		await score(queue, scored(idOf(0), { version: 3 }));
		expect(await projectOf(queue, 0)).toEqual({
			...before,
			energy_community_eligible: true,
			low_income_eligible: null,
			domestic_content_eligible: null,
			domestic_content_basis: "technology",
			tax_credit_type: "ITC",
			tax_credit_status: "conditional",
			tax_credit_pct: 0.4,
			effective_credit_rate: 0.4,
			estimated_credit_value: 52_000_000.5,
			investable: true,
			p_cod_36: 0.73,
			investability_score: 81,
		});
		expect(await queue.sql`select from outbox`).toHaveLength(0);
		expect(await readDataVersion(queue.sql)).toBe(version + 1);
		await expectTrue(queue);
	});

	it("is replaced only by a newer one, in any order and number of deliveries", async () => {
		const scoreOf = (version: number) => scored(idOf(1), { version, investability_score: version });
		await score(queue, scoreOf(2), scoreOf(1));
		expect(await projectOf(queue, 1)).toMatchObject({ investability_score: 2 });
		await score(queue, scoreOf(1), scoreOf(3), scoreOf(2));
		const version = await readDataVersion(queue.sql);
		await score(queue, scoreOf(3), scoreOf(2), scoreOf(1));
		expect(await projectOf(queue, 1)).toMatchObject({ investability_score: 3 });
		expect(await readDataVersion(queue.sql)).toBe(version);
	});

	it("of a closed request removes its score and credits", async () => {
		const before = await projectOf(queue, 2);
		await score(queue, scored(idOf(2), { version: 1 }));
		await score(queue, unscored(idOf(2), 2));
		expect(await projectOf(queue, 2)).toEqual(before);
		await expectTrue(queue);
	});

	it("of an unknown request changes nothing", async () => {
		const version = await readDataVersion(queue.sql);
		await score(queue, scored("ERCOT-99INR9999", { version: 1 }));
		expect(await readDataVersion(queue.sql)).toBe(version);
	});

	it("persists through lists that change its request, and is in the events of their changes", async () => {
		const larger = ercotRows((row, at) => (at === 0 ? { mw: row.mw + 20 } : {}));
		await takeErcot(queue, "2026-03-05", larger);
		expect(await projectOf(queue, 0)).toMatchObject({ version: 2, investability_score: 81 });
		const { changed } = await queue.announced();
		expect(changed).toMatchObject([{ project: { id: idOf(0), investability_score: 81 } }]);
		await expectTrue(queue);
	});

	it("is not in the history of the lists' states, which were scored when they were loaded", async () => {
		const { data } = await queue.ask("getProjectHistory", { project_id: idOf(0) });
		const fields = data.map(({ differences }) => differences.map(({ field }) => field));
		expect(fields).toEqual([
			expect.arrayContaining(["capacity_mw", "status_std"]),
			expect.arrayContaining(["capacity_mw"]),
		]);
		expect(fields.flat()).not.toEqual(expect.arrayContaining(["investability_score"]));
		expect(fields.flat()).not.toEqual(expect.arrayContaining(["p_cod_36"]));
	});
});

describe("a rating", () => {
	const queue: Queue = sharedQueue(() => fillScored(queue));

	it("is stored with its developer and the developer's requests, without a new version or event", async () => {
		const invenergy = await developerIdOf(queue, "Invenergy");
		const before = await queue.sql`select version, portfolio from developers where developer_id = ${invenergy}`;
		const version = await readDataVersion(queue.sql);
		await rate(queue, rated(invenergy, { version: 1 }));
		for (const at of [0, 1]) expect(await projectOf(queue, at)).toMatchObject({ needs_capital: true, version: 1 });
		expect(await projectOf(queue, 2)).toMatchObject({ needs_capital: null });
		expect((await queue.ask("getDeveloper", { developer_id: "Invenergy" })).data).toMatchObject({
			needs_capital: true,
			tax_credit_activity: "high",
		});
		const [kept] = await queue.sql`select distress_level from developers where developer_id = ${invenergy}`;
		expect(kept).toEqual({ distress_level: "Elevated" });
		expect(await queue.sql`select version, portfolio from developers where developer_id = ${invenergy}`).toEqual(
			before,
		);
		expect(await queue.sql`select from outbox`).toHaveLength(0);
		expect(await readDataVersion(queue.sql)).toBe(version + 1);
		await expectTrue(queue);
	});

	it("is replaced only by a newer one; for an unknown developer it changes nothing", async () => {
		const invenergy = await developerIdOf(queue, "Invenergy");
		await rate(queue, rated(invenergy, { version: 3 }), rated(invenergy, { version: 2, needs_capital: false }));
		const version = await readDataVersion(queue.sql);
		await rate(queue, rated(invenergy, { version: 2, needs_capital: false }), rated(999_999, { version: 1 }));
		expect(await projectOf(queue, 0)).toMatchObject({ needs_capital: true });
		expect(await readDataVersion(queue.sql)).toBe(version);
		await rate(queue, rated(invenergy, { version: 4, needs_capital: false }));
		expect(await projectOf(queue, 0)).toMatchObject({ needs_capital: false });
		await expectTrue(queue);
	});

	it("follows the developer: a transferred or new request has its new developer's rating", async () => {
		await rate(
			queue,
			rated(await developerIdOf(queue, "Invenergy"), { version: 5 }),
			rated(await developerIdOf(queue, "Avantus"), { version: 1, needs_capital: false }),
		);
		const list = ercotRows((_, at) =>
			at === 0 ? { developer: "Avantus LLC" } : at === 2 ? { developer: "Confidential" } : {},
		);
		const [like] = list;
		if (like === undefined) throw new Error("no row");
		const added = { ...like, number: "29INR0999", name: "Added Wind", poi: "Added 138 kV", developer: "Invenergy LLC" };
		await takeErcot(queue, "2026-03-05", [...list, added]);
		const needs = await Promise.all([0, 1, 2].map(async (at) => (await projectOf(queue, at)).needs_capital));
		expect(needs).toEqual([false, true, null]);
		expect(await queue.ask("getProject", { project_id: "ERCOT-29INR0999" })).toMatchObject({ needs_capital: true });
		await expectTrue(queue);
	});

	it("changes with a request that the register assigns to another developer", async () => {
		await rate(queue, rated(await developerIdOf(queue, "Avantus"), { version: 2 }));
		await syncRegister(queue.sql, registerWith("Quillfeather Renewables"));
		expect(await projectOf(queue, 3)).toMatchObject({
			developer_canonical: "Avantus",
			needs_capital: true,
			version: 2,
		});
		await expectTrue(queue);
	});

	it("reaches a request that a concurrent list assigns to the developer", async () => {
		const avantus = await developerIdOf(queue, "Avantus");
		const { copying } = await queue.sql.begin(async (tx) => {
			await lockWriters(tx);
			const waiting = rate(queue, rated(avantus, { version: 3 }));
			await eventually(async () => {
				const held = await tx`select from pg_locks where locktype = 'advisory' and not granted
					and database = (select oid from pg_database where datname = current_database())`;
				return held.count > 0;
			});
			await tx`update projects set developer_id = ${avantus}, version = version + 1 where id = ${idOf(4)}`;
			return { copying: waiting };
		});
		await copying;
		expect(await projectOf(queue, 4)).toMatchObject({ needs_capital: true });
		await expectTrue(queue);
	});
});

it("scores are removed with the sample; a remaining developer's rating persists until scoring publishes another", async () => {
	await using queue = await openQueue({ sample: true });
	const { data } = await queue.ask("listProjects");
	const invented = data.map(({ id }) => id);
	await score(queue, ...invented.map((id) => scored(id, { version: 5 })));
	const [avantus] = await queue.sql<{ id: number }[]>`
		select developer_id as id from developers where canonical_name = 'Avantus'`;
	if (avantus === undefined) throw new Error("no developer");
	await rate(queue, rated(avantus.id, { version: 5 }));
	await takeErcot(queue, new Date(Date.now() + 86_400_000).toISOString());
	expect(await queue.sql`select from projects where id = any(${invented}) or score_seen > 0`).toHaveLength(0);
	// Said of the sample, delivered late.
	await score(queue, ...invented.map((id) => scored(id, { version: 6 })));
	expect(await projectOf(queue, 2)).toMatchObject({ needs_capital: true, investability_score: null });
	await expectTrue(queue);
});
