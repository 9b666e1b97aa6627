/** Going over to another version of the score, with events and other calls in between; and what is stored under a version. */
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Sql } from "#libs/postgres/connect.ts";
import { hashInputs } from "../../services/scoring/domain/score/inputs.ts";
import { scoreProject } from "../../services/scoring/domain/score/score-project.ts";
import type { ScoreInputs } from "../../services/scoring/domain/score/tables.ts";
import { version3 } from "../../services/scoring/domain/score/versions/3.ts";
import { currentVersion, scoreVersions, tablesOf } from "../../services/scoring/domain/score/versions/index.ts";
import { rescore } from "../../services/scoring/jobs/rescore.ts";
import { isQueueEmpty } from "../../services/scoring/jobs/scoring-worker.ts";
import { scoreRow } from "../../services/scoring/tables/scores.ts";
import { type Delivery, project } from "./support/deliver.ts";
import { type ProjectChanged, pick, projectEvent, randomBy } from "./support/history.ts";
import { openScoring, type TestScoring } from "./support/scoring.ts";

const active = currentVersion;
const other = [...scoreVersions.keys()].find((version) => version !== active) ?? 0;

let service: TestScoring;
beforeAll(async () => {
	service = await openScoring();
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(async () => {
	await service.clear();
	await service.sql`update settings set active_version = ${active}, preparing_version = null`;
});

const options = (report: (line: string) => void = () => {}) => ({ now: () => service.clock.now, report });

/** The same database; `before` is called before each transaction, with its number from 1. */
function interrupted(sql: Sql, before: (transaction: number) => Promise<void>): Sql {
	let begun = 0;
	return new Proxy(sql, {
		get: (target, name) =>
			name === "begin"
				? async (work: Parameters<Sql["begin"]>[1]) => {
						await before(++begun);
						return target.begin(work);
					}
				: Reflect.get(target, name),
	});
}

const request = (id: number, version = 1, more: Partial<ProjectChanged["project"]> = {}): Delivery => {
	const random = randomBy(id);
	return project(
		projectEvent(`ERCOT-${String(id).padStart(5, "0")}`, version, {
			construction_stage: pick(random, ["early", "mid", "late", "construction"] as const),
			ia_status: pick(random, ["System Impact Study", "Facility Study", "IA Executed"] as const),
			type_std: pick(random, ["Solar", "Wind", "Storage", "Gas"] as const),
			...more,
		}),
	);
};
const requests = (from: number, to: number): Delivery[] =>
	Array.from({ length: to - from + 1 }, (_, at) => request(from + at));

interface Stored {
	score_version: number;
	project_id: string;
	inputs: ScoreInputs;
	inputs_hash: string;
}
const stored = (): Promise<Stored[]> =>
	service.rows(
		"select to_jsonb(s) - '{scored_at,project_region,project_state,project_type_std,project_capacity_mw}'::text[] as row from scores s order by project_id, score_version",
	);
const open = (): Promise<string[]> =>
	service.rows("select to_jsonb(project_id) as row from projects where open order by project_id");

/** Every open request has its score under each of these versions and no other; each is what its inputs give. */
async function expectWhole(...versions: number[]): Promise<void> {
	const rows = await stored();
	const ids = await open();
	for (const version of versions)
		expect(rows.filter((row) => row.score_version === version).map((row) => row.project_id)).toEqual(ids);
	expect(rows).toHaveLength(ids.length * versions.length);
	expectRecomputed(rows);
}

function expectRecomputed(rows: readonly Stored[]): void {
	const wrong = rows.filter((row) => {
		const { project_id, score_version: version, inputs } = row;
		const score = scoreProject(inputs, tablesOf(version));
		return !isDeepStrictEqual(row, scoreRow(project_id, version, score, inputs, hashInputs(inputs)));
	});
	expect(wrong).toEqual([]);
}

async function expectServed(version: number): Promise<void> {
	const settings = await service.sql`select active_version, preparing_version from settings`;
	expect([...settings]).toEqual([{ active_version: version, preparing_version: null }]);
	await expectWhole(version);
}

describe("going over to another version", () => {
	test("and back scores what comes in between under both", async () => {
		// More than a batch.
		const most = 2_050;
		for (let id = 1; id <= most; id += 500) await service.deliver(...requests(id, Math.min(most, id + 499)));
		await service.compute();
		let round = 1;
		const lines: string[] = [];
		async function goOver(from: number, to: number): Promise<void> {
			const between = async (transaction: number) => {
				if (transaction === 1) return;
				round++;
				// Requests that the batches have passed, are at, and have not reached; one that closes, and a new one.
				const late = { construction_stage: "construction", ia_status: "Construction" } as const;
				await service.deliver(
					...[round, 1_000 + round, 2_020 + round].map((id) => request(id, 2, late)),
					request(100 + round, 2, { status_std: "Withdrawn" }),
					request(2_030 + round, 2, { status_std: "Operational" }),
					request(0 - round),
					// Else there would always be one more to prepare.
					...(transaction < 4 ? [request(9_000 + round)] : []),
				);
				await service.compute();
				// Prepare, two batches: the fourth looks for more, the fifth serves.
				if (transaction === 5) await expectWhole(from, to);
			};
			const done = await rescore(
				interrupted(service.sql, between),
				to,
				options((line) => lines.push(line)),
			);
			expect(done).toEqual({ from, to, requests: (await open()).length });
			await expectServed(to);
			await service.compute();
		}
		await goOver(active, other);
		await goOver(other, active);
		expect(lines).toHaveLength(4);
		expect(service.errors).toEqual([]);
		const made = await service.made();
		await service.computeAll();
		expect(isDeepStrictEqual(await service.made(), made)).toBe(true);
	}, 60_000);

	test.each([
		["before its batch", 2],
		["before it serves", 4],
	])("ends with the reason where another call did it %s", async (_, at) => {
		await service.deliver(...requests(1, 30));
		await service.compute();
		const meanwhile = async (transaction: number) => {
			if (transaction === at) await rescore(service.sql, other, options());
		};
		await expect(rescore(interrupted(service.sql, meanwhile), other, options())).rejects.toThrow(/another call/);
		await expectServed(other);
	});

	test("ends with the reason where another call wants the version in use computed again", async () => {
		await service.deliver(...requests(1, 30));
		await service.compute();
		const meanwhile = async (transaction: number) => {
			if (transaction === 3) await rescore(service.sql, null, options());
		};
		await expect(rescore(interrupted(service.sql, meanwhile), other, options())).rejects.toThrow(/another call/);
		await service.compute();
		await expectServed(active);
	});

	test("that was interrupted is done by the next call, and what came in between is scored under both", async () => {
		await service.deliver(...requests(1, 30));
		await service.compute();
		const stop = () => {
			throw new Error("pulled the plug");
		};
		await expect(rescore(service.sql, other, options(stop))).rejects.toThrow("pulled the plug");
		await service.deliver(request(3, 2, { status_std: "Withdrawn" }), ...requests(31, 40));
		await service.compute();
		await expectWhole(active, other);
		expect(await rescore(service.sql, other, options())).toEqual({ from: active, to: other, requests: 39 });
		await expectServed(other);
	});

	test("that was given up leaves nothing of the version that was being prepared", async () => {
		await service.deliver(...requests(1, 30));
		await service.compute();
		const made = await service.made();
		const stop = () => {
			throw new Error("pulled the plug");
		};
		await expect(rescore(service.sql, other, options(stop))).rejects.toThrow();
		await rescore(service.sql, null, options());
		await service.compute();
		await expectServed(active);
		expect(await service.made()).toEqual(made);
	});
});

test("a version whose table is missing stops the call with a sentence, and nothing is touched", async () => {
	await service.deliver(...requests(1, 3));
	await service.compute();
	const made = await service.made();
	const sentence = "The table 3.outcomes.csv of version 3 of the score cannot be read";
	const missing = vi.spyOn(version3, "outcomes", "get").mockImplementation(() => {
		throw new Error(sentence);
	});
	try {
		await expect(rescore(service.sql, version3.version, options())).rejects.toThrow(sentence);
		await expect(rescore(service.sql, null, options())).rejects.toThrow(sentence);
	} finally {
		missing.mockRestore();
	}
	await expectServed(active);
	expect(await service.made()).toEqual(made);
});

test("the version in use is computed again: a damaged row is mended, and not published as new", async () => {
	await service.deliver(...requests(1, 30));
	await service.compute();
	const made = await service.made();
	await service.sql`delete from outbox`;
	await service.sql`update scores set score = 1, grade = 'A', milestone_progress = 2, inputs = '{}' where project_id < 'ERCOT-00010'`;
	await service.computeAll();
	// Equal inputs are an equal score: marking alone does not look at it.
	expect(await service.made()).not.toEqual(made);
	expect(await rescore(service.sql, null, options())).toEqual({ from: active, to: active, requests: 30 });
	expect(await isQueueEmpty(service.sql)).toBe(false);
	await service.compute();
	expect(await service.made()).toEqual(made);
	expect(await service.sql`select from outbox`).toHaveLength(0);
});
