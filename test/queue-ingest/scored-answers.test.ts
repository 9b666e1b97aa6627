/** Filters, orders, totals and exports of what scoring says; and its way here over the bus. */
import { describe, expect, it } from "vitest";
import { connectBus } from "#libs/bus/connect.ts";
import { messageOf, publishDirectly } from "#libs/bus/events/publish.ts";
import { ensureStream } from "#libs/bus/events/topology.ts";
import { developerRated, projectScored } from "#libs/contract/events/scoring.ts";
import type { ParamsInput } from "#libs/contract/index.ts";
import { createLogger } from "#libs/service/logger.ts";
import { startReactions } from "../../services/queue-ingest/reactions.ts";
import { eventually } from "../support/eventually.ts";
import { startNats } from "../support/servers.ts";
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
} from "./support/scoring.ts";
import { sharedQueue } from "./support/shared-queue.ts";

const requests = 120;
const all = Array.from({ length: requests }, (_, at) => idOf(at)).sort();

describe("requests with scores", () => {
	const queue: Queue = sharedQueue(async () => {
		await fillScored(queue);
		await score(
			queue,
			scored(idOf(0), { version: 1 }),
			scored(idOf(1), {
				version: 1,
				...{ investability_score: 40, investable: false, energy_community_eligible: false, low_income_eligible: true },
				...{ tax_credit_type: "PTC", tax_credit_status: "eligible", effective_credit_rate: 0.06 },
				estimated_credit_value: 1_000_000.25,
			}),
			scored(idOf(2), {
				version: 1,
				...{ investability_score: 0, investable: false, energy_community_eligible: null },
				...{
					tax_credit_type: null,
					tax_credit_status: "terminated",
					effective_credit_rate: 0,
					estimated_credit_value: 0,
				},
			}),
			scored(idOf(3), {
				version: 1,
				...{ investability_score: 60, investable: true, tax_credit_type: null, energy_community_eligible: null },
				...{ tax_credit_status: "requires_determination", effective_credit_rate: null, estimated_credit_value: null },
			}),
		);
		await rate(
			queue,
			rated(await developerIdOf(queue, "Invenergy"), { version: 1 }),
			rated(await developerIdOf(queue, "Avantus"), { version: 1, needs_capital: false, tax_credit_activity: "none" }),
		);
	});

	it.each<[string, ParamsInput<"listProjects">, string[]]>([
		["investable", { investable: true }, [idOf(0), idOf(3)]],
		["not investable, though scored", { investable: false }, [idOf(1), idOf(2)]],
		["a least score, inclusive", { min_score: 60 }, [idOf(0), idOf(3)]],
		["a score at all", { min_score: 0 }, [0, 1, 2, 3].map(idOf)],
		["a credit", { has_tax_credit: true }, [idOf(0), idOf(1)]],
		["no credit, as is known", { has_tax_credit: false }, [idOf(2)]],
		["an energy community", { energy_community: true }, [idOf(0)]],
		["a place that is none", { energy_community: false }, [idOf(1)]],
		["a low-income place", { low_income: true }, [idOf(1)]],
		["a developer that needs capital", { needs_capital: true }, [idOf(0), idOf(1)]],
		["a developer that needs none", { needs_capital: false }, [idOf(2)]],
	])("are found by %s", async (_, filters, expected) => {
		const { data, meta } = await queue.ask("listProjects", { ...filters, per_page: 500 });
		expect(data.map(({ id }) => id)).toEqual([...expected].sort());
		expect(meta.total).toBe(expected.length);
	});

	it("are sorted by score, unscored ones last", async () => {
		const scores = async (order: "asc" | "desc") => {
			const { data } = await queue.ask("listProjects", { sort: "investability_score", order, per_page: 5 });
			return data.map(({ investability_score }) => investability_score);
		};
		expect(await scores("desc")).toEqual([81, 60, 40, 0, null]);
		expect(await scores("asc")).toEqual([0, 40, 60, 81, null]);
	});

	it("are summed in whole dollars", async () => {
		const { data } = await queue.ask("getStats");
		expect(data.tax_credits).toEqual({
			// Without scoring.
			active: null,
			eligible_projects: 2,
			energy_community_projects: 1,
			low_income_projects: 1,
			estimated_total_value: 53_000_001,
			conditional_projects: 1,
			conditional_value: 52_000_001,
			listed_value: 53_000_001,
			unlisted_value: 0,
			value_by_confidence: { high: 53_000_001, medium: 0, low: 0 },
		});
	});

	it("are exported as in other responses", async () => {
		const [header = "", ...lines] = (await queue.export()).trim().split("\n");
		const columns = header.split(",");
		expect(columns.slice(columns.indexOf("tax_credit_type")).slice(0, 3)).toEqual([
			"tax_credit_type",
			"tax_credit_status",
			"tax_credit_pct",
		]);
		const line = lines.find((one) => one.startsWith(`${idOf(0)},`));
		expect(line).toContain(",ITC,conditional,0.4,52000000.5,0.4,true,true,0.73,81,");
	});

	it("have coverage by the open requests with a decided credit", async () => {
		const share = async () => (await queue.ask("validate")).coverage.tax_credit_eligibility;
		// One of four waits for a determination that was not made.
		expect(await share()).toBe(0.025);
		await takeErcot(
			queue,
			"2026-03-05",
			ercotRows((_, at) => (at > 3 && at < 9 ? { status: "operational", ended: "2026-03-01" } : {})),
		);
		// The basis is 115: five were built.
		expect(await share()).toBe(0.0261);
	});

	it("have developers that are found and counted by their capital need", async () => {
		const named = async (needs_capital: boolean) =>
			(await queue.ask("listDevelopers", { needs_capital })).data.map(({ canonical_name }) => canonical_name);
		expect(await named(true)).toEqual(["Invenergy"]);
		expect(await named(false)).toEqual(["Avantus"]);
		expect(await queue.ask("getDeveloperStats")).toMatchObject({ needs_capital_count: 1 });
		expect((await queue.ask("getDeveloper", { developer_id: "Avantus" })).data).toMatchObject({
			tax_credit_activity: "none",
		});
	});

	it("are found by any number", async () => {
		const [id, bare] = [idOf(0), idOf(0).replace("ERCOT-", "")];
		for (const params of [{ project_id: id }, { project_id: bare }, { project_id: bare, region: "ERCOT" as const }])
			expect(await queue.ask("resolveProject", params)).toEqual({ id });
		await expect(queue.ask("resolveProject", { project_id: "no such request" })).rejects.toMatchObject({ status: 404 });
		await expect(queue.ask("resolveProject", { project_id: id, region: "PJM" })).rejects.toMatchObject({ status: 404 });
	});
});

it("scores that scoring publishes arrive, those of a whole list in batches", async () => {
	await using queue = await openQueue();
	await fillScored(queue);
	await using nats = await startNats();
	const log = createLogger({ name: "test", level: "silent" });
	const busOf = (name: string) => connectBus({ url: nats.url, name, log, ...nats.login(name) });
	await using scoring = await busOf("scoring");
	await using bus = await busOf("queue-ingest");
	await ensureStream(scoring, "scoring");
	await using reactions = new AsyncDisposableStack();
	for (const reacting of await startReactions(bus, queue.sql)) reactions.use(reacting);
	const invenergy = await developerIdOf(queue, "Invenergy");
	for (const version of [1, 2])
		await publishDirectly(
			scoring,
			all.map((id, at) => messageOf(projectScored, scored(id, { version, investability_score: (at + version) % 101 }))),
		);
	await publishDirectly(scoring, [messageOf(developerRated, rated(invenergy, { version: 1 }))]);
	await eventually(async () => {
		const [row] = await queue.sql<{ scores: number; rated: number }[]>`
			select (select count(*) from projects where score_seen = 2) as scores,
				(select count(*) from projects where needs_capital) as rated`;
		return row?.scores === requests && row.rated === 2;
	});
	expect(await projectOf(queue, 0)).toMatchObject({ investability_score: (all.indexOf(idOf(0)) + 2) % 101 });
	expect(await queue.sql`select from dead_letters`).toHaveLength(0);
	await expectTrue(queue);
});
