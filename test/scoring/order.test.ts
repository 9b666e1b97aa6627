/** The order in which events come, and how often, leaves no trace in what is made of them. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { createLogger } from "#libs/service/logger.ts";
import { isScored, scoreBatch, scoreTouched } from "../../services/scoring/jobs/keep-scored.ts";
import { schema } from "../../services/scoring/migrate.ts";
import { createDatabase } from "../support/database.ts";
import { type Delivery, developer, filing, news, project, raise, transfer } from "./support/deliver.ts";
import {
	developerEvent,
	filingEvent,
	named,
	newsEvent,
	pick,
	projectEvent,
	raiseEvent,
	randomBy,
	shuffled,
	transferEvent,
} from "./support/history.ts";

const scoring = {
	now: () => new Date("2026-11-20T12:00:00Z"),
	notice_2025_42: "vacated" as const,
	log: createLogger({ name: "order", level: "silent" }),
};

const projects = 14;
const developers = 4;
const most = 5;

/** Versions of every aggregate, in the order in which they came to be. */
function history(seed: number): Delivery[] {
	const random = randomBy(seed);
	const some = () => 1 + Math.floor(random() * most);
	const anyDeveloper = () => pick(random, [null, 1, 2, 3, 4] as const);
	const deliveries: Delivery[] = [];
	for (let id = 1; id <= developers; id++)
		for (let version = 1; version <= some(); version++)
			deliveries.push(
				developer(developerEvent(id, version, { tier: pick(random, ["independent", "pe_fund"] as const) })),
			);
	for (let id = 1; id <= projects; id++) {
		const moves: { on: string; old: string | null; new: string | null }[] = [];
		let cod = "2026-03-31";
		for (let version = 1; version <= some(); version++) {
			if (version > 1 && random() < 0.6) {
				const next = `${2026 + version}-06-30`;
				moves.push({ on: `2026-0${version}-01`, old: cod, new: next });
				cod = next;
			}
			const developer_id = anyDeveloper();
			const event = projectEvent(`ERCOT-${id}`, version, {
				cod,
				developer_id,
				developer_canonical: developer_id === null ? null : `Developer ${developer_id}`,
				developer_tier: developer_id === null ? "unknown" : "independent",
				status_std: pick(random, ["Active", "Active", "Active", "Withdrawn", "Operational", "Suspended"] as const),
				construction_stage: pick(random, ["early", "mid", "late", "construction"] as const),
				type_std: pick(random, ["Solar", "Wind", "Storage", "Gas"] as const),
				capacity_mw: pick(random, [null, 0, 20, 100, 100, 400] as const),
			});
			deliveries.push(project({ ...event, cod_changes: [...moves] }));
		}
	}
	for (let id = 1; id <= 25; id++)
		for (let version = 1; version <= some(); version++)
			deliveries.push(
				news(
					newsEvent(id, version, {
						domain: pick(random, ["a.example", "b.example", "c.example"]),
						title: pick(random, [
							"Developer files for Chapter 11 bankruptcy",
							"Developer sued by contractor",
							"Developer opens plant",
						]),
						event_type: pick(random, ["distress", "litigation", "mention", "financing"] as const),
						developers: shuffled(random, [1, 2, 3, 4])
							.slice(0, Math.floor(random() * 3))
							.map((each) => named(each, pick(random, [0.5, 0.75, 0.9] as const))),
					}),
				),
			);
	for (let id = 1; id <= 8; id++)
		for (let version = 1; version <= some(); version++) {
			const developer_id = anyDeveloper();
			deliveries.push(
				raise(raiseEvent(`raise-${id}`, version, { developer_id, is_latest: random() < 0.7 })),
				filing(
					filingEvent(`filing-${id}`, version, { developer_id, item_codes: [pick(random, ["1.03", "2.03", "2.06"])] }),
				),
				transfer(
					transferEvent(id, version, {
						buyer_canonical: `Developer ${anyDeveloper() ?? 1}`,
						retracted: random() < 0.3,
					}),
				),
			);
		}
	return deliveries;
}

let database: Awaited<ReturnType<typeof createDatabase>>[] = [];
beforeAll(() => {
	database = [];
});
afterAll(async () => {
	for (const each of database) await each.drop();
});

/** Delivers, computing now and then in between, and answers everything that was made of it. */
async function outcome(deliveries: readonly Delivery[], random: () => number) {
	const own = await createDatabase("scoring");
	database.push(own);
	await using sql = connect(own.url, { schema, name: "order", max: 2 });
	for (const delivery of deliveries) {
		await delivery.deliver(sql);
		if (random() < 0.05) await scoreBatch(sql, scoring);
	}
	await scoreTouched(sql, scoring);
	expect(await isScored(sql)).toBe(true);
	return await read(sql);
}

async function read(sql: Sql) {
	const rows = async (text: string) => (await sql.unsafe<{ row: unknown }[]>(text)).map(({ row }) => row);
	return {
		credits: await rows("select to_jsonb(c) as row from credits c order by project_id"),
		scores: await rows("select to_jsonb(s) - 'scored_at' as row from scores s order by project_id"),
		standings: await rows("select to_jsonb(s) - 'version' as row from standings s order by developer_id"),
		// What was told of a request that closed again depends on whether anything was told before: only the last word counts.
		told: await rows(`select jsonb_build_array(project_id, said - '{inputs_hash,score_version}'::text[]) as row from told_projects
			where said ->> 'investability_score' is not null order by project_id`),
	};
}

describe("events that come late, out of order and twice", () => {
	test.each([1, 2, 3, 4, 5, 6])("make what they make in order (history %i)", async (seed) => {
		const inOrder = history(seed);
		const expected = await outcome(inOrder, randomBy(seed));
		expect(expected.scores.length).toBeGreaterThan(3);
		expect(expected.standings).toHaveLength(developers);
		for (const order of [1, 2]) {
			const random = randomBy(seed * 100 + order);
			const twice = inOrder.filter(() => random() < 0.4);
			expect(await outcome(shuffled(random, [...inOrder, ...twice]), random)).toEqual(expected);
		}
	});
});
