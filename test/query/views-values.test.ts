/** SQL reads the same of the bundled sample through the views as HTTP answers, field by field. */
import { describe, expect } from "vitest";
import { type Database, databases } from "#libs/contract/databases.ts";
import { test, type World } from "../support/world.ts";
import { expectSame, getFrom, listFrom, type Row, rowsOf, viewRows } from "./support/views.ts";

let world: World;

test.beforeAll(({ readOnlyWorld }) => {
	world = readOnlyWorld;
});

/** Rows of a statement by POST /query. */
const select = (database: Database, sql: string): Promise<Row[]> => rowsOf(world.url, database, sql);
/** Why a statement fails. */
async function refused(database: Database, sql: string): Promise<string> {
	const body = JSON.stringify({ sql, database });
	const response = await fetch(`${world.url}/query`, {
		method: "POST",
		body,
		headers: { "content-type": "application/json" },
	});
	const { detail, code } = (await response.json()) as { detail: string; code: string };
	expect([response.status, code]).toEqual([400, "statement_failed"]);
	return detail;
}
const get = (path: string): Promise<Row> => getFrom(world.url, path);
const list = (path: string): Promise<Row[]> => listFrom(world.url, path);
/** A list that has no pages. */
const leaders = async (path: string): Promise<Row[]> => (await get(path)).data as Row[];

describe("the queues", () => {
	test("projects are the rows of GET /projects, of every kind", async () => {
		const view = await viewRows(world.url, "master", "projects", "id");
		const answers = await list("/projects?population=all&include_unlisted=true&per_page=500");
		expectSame(answers, view, "id");
		expect(view.size).toBe(answers.length);
		expect(Object.keys([...view.values()][0] ?? {})).toEqual(Object.keys(answers[0] ?? {}));
		expect(new Set(answers.map(({ kind }) => kind)).size).toBeGreaterThan(1);
	});

	test("raw columns, aliases and history of a request are those of its detail", async () => {
		const [moved] = await select(
			"master",
			"select project_id from project_versions where version > 1 and kind = 'generation' order by project_id limit 1",
		);
		const id = `'${moved?.project_id}'`;
		const detail = await get(`/projects/${encodeURIComponent(String(moved?.project_id))}`);
		const [raw] = await select("master", `select raw from project_raw where project_id = ${id}`);
		expect(raw?.raw).toEqual(detail.raw);
		const aliases = await select(
			"master",
			`select number from project_aliases where project_id = ${id} order by first_seen_at, number`,
		);
		expect(aliases.map(({ number }) => number)).toEqual(detail.aliases);
		const versions = await select("master", `from project_versions where project_id = ${id} order by version`);
		// A number that stands on no day is left out: another state of the same moment took its place.
		const numbers = versions.map(({ version }) => Number(version));
		expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
		expect(versions.slice(0, -1).map(({ valid_to }) => valid_to)).toEqual(
			versions.slice(1).map(({ valid_from }) => valid_from),
		);
		const { project_id, valid_from, valid_to, backfilled, ...present } = versions.at(-1) ?? {};
		expect([project_id, valid_to]).toEqual([detail.id, null]);
		expect(detail).toMatchObject(present);
	});

	test("the requests of a day are those that /projects answers as of it", async () => {
		const days = await select(
			"master",
			"select distinct valid_from::date::varchar as day from project_versions order by 1",
		);
		expect(days.length).toBeGreaterThan(1);
		for (const { day } of days) {
			const rows = await select(
				"master",
				`select project_id as id, status_std, capacity_mw from projects_as_of('${day}') where listed = 'listed' order by project_id`,
			);
			const answers = await list(`/projects?as_of=${day}&population=all&per_page=500`);
			expect(rows).toEqual(answers.map(({ id, status_std, capacity_mw }) => ({ id, status_std, capacity_mw })));
		}
	});

	test("a day that has not begun, one before the first list, and what is no day are errors", async () => {
		const [first] = await select("master", "select min(valid_from)::date::varchar as day from project_versions");
		const dayFrom = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
		const future = `the day is in the future: today is ${dayFrom(0)} (UTC)`;
		const noDay = "the day must be a date, year-month-day";
		for (const [statement, says] of [
			[`select count(*) as n from projects_as_of('${dayFrom(1)}')`, future],
			[
				`select id from projects join projects_as_of('${dayFrom(1)}') on id = project_id where id = 'no request' limit 1`,
				future,
			],
			[
				"select count(*) as n from projects_as_of('2019-12-31')",
				`no data for that day: the first list is dated ${first?.day}`,
			],
			["select count(*) as n from projects_as_of('future')", noDay],
			[`select count(*) as n from projects_as_of('${dayFrom(0)} or later')`, noDay],
			["select count(*) as n from projects_as_of(null)", noDay],
		] as const)
			expect(await refused("master", statement)).toBe(`projects_as_of: ${says}`);
	});

	test("the scores of a day are those that stood published as it ended", async () => {
		const [yesterday = "", today = ""] = [1, 0].map((ago) =>
			new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10),
		);
		const of = (day: string) =>
			select(
				"scoring",
				`select project_id, investability_score, grade from scores_as_of('${day}') order by project_id`,
			);
		expect(await refused("scoring", `from scores_as_of('${yesterday}')`)).toBe(
			`scores_as_of: no data for that day: the first published score is dated ${today}`,
		);
		const rows = await of(today);
		expect(rows.length).toBeGreaterThan(50);
		for (const row of rows.slice(0, 5)) {
			const score = await get(`/score/${row.project_id}?as_of=${today}`);
			expect(score).toMatchObject({ ...row, basis: "published" });
		}
	});

	test("changes are the change feed", async () => {
		const answers = await list("/changes?since_days=90&per_page=500&include_evidence=true");
		expectSame(answers, await viewRows(world.url, "master", "changes", "seq"), "seq");
	});

	test("sources say what /source-freshness says, and each is of a database that exists", async () => {
		const { sources } = (await get("/source-freshness")) as { sources: Row[] };
		for (const { database } of sources) expect(databases).toContain(database);
		const of = (...names: string[]) =>
			sources.filter(({ database, last_checked }) => names.includes(String(database)) && last_checked !== null);
		expectSame(of("master", "grid"), await viewRows(world.url, "master", "sources", "source"), "source");
		const except = ["database", "unchecked_records"];
		expectSame(of("developer"), await viewRows(world.url, "developer", "sources", "source"), "source", { except });
		expectSame(of("signals"), await viewRows(world.url, "signals", "sources", "source"), "source", {
			except: ["database"],
		});
		expectSame(of("capital"), await viewRows(world.url, "capital", "sources", "source"), "source", {
			except: ["database"],
		});
		expectSame(of("scoring"), await viewRows(world.url, "scoring", "sources", "source"), "source", { except });
		expect(sources.find(({ source }) => source === "eia860")).toMatchObject({ database: "grid" });
		expect(sources.find(({ source }) => source === "developer-register")?.records).toBeGreaterThan(200);
	});

	test("snapshots have the counts of the sample's lists", async () => {
		const [row] = await select(
			"master",
			"select count(*) filter (where outcome = 'applied') as applied, sum(requests) as requests from snapshots",
		);
		expect(row?.applied).toBeGreaterThan(10);
		expect(row?.requests).toBeGreaterThan(100);
	});
});

describe("developers", () => {
	test("are the rows of GET /developers", async () => {
		const view = await viewRows(world.url, "developer", "developers", "developer_id");
		const answers = await list("/developers?per_page=200");
		expectSame(answers, view, "developer_id");
		expect(view.size).toBe(answers.length);
	});

	test("have the profile, the names and the filed names of their detail", async () => {
		const view = await viewRows(world.url, "developer", "developers", "developer_id");
		const [largest] = await list("/developers?per_page=1&sort=total_projects");
		const { data } = (await get(`/developers/${largest?.developer_id}`)) as { data: Row };
		expectSame([data], view, "developer_id", { except: ["aliases", "identifiers", "relationships"] });
		const aliases = await select("developer", `select alias from aliases where developer_id = ${data.developer_id}`);
		expect(aliases.map(({ alias }) => alias).toSorted()).toEqual((data.aliases as string[]).toSorted());
		const { shells } = data.relationships as { shells: Row[] };
		const filed = await viewRows(world.url, "developer", "filed_names", "raw_name");
		if (shells.length > 0)
			expectSame(shells, filed, "raw_name", { renamed: { name: "raw_name" }, except: ["project_count"] });
		// Developers of other requests are known by the plant that the EIA lists, not by the filed name.
		const named = (await list("/projects?per_page=500"))
			.map((row) => ({ row, name: filed.get(JSON.stringify([row.developer])) }))
			.filter(({ name }) => name !== undefined && name.canonical_name !== null);
		expect(named).not.toEqual([]);
		for (const { row, name } of named)
			expect(name).toMatchObject({ canonical_name: row.developer_canonical, tier: row.developer_tier });
	});
});

describe("the grid", () => {
	test("plants are the rows of GET /grid/plants, in every year", async () => {
		const view = await viewRows(world.url, "grid", "plants", "plant_id,year");
		const answers = await list("/grid/plants?per_page=500");
		const summed = ["owners", "technologies", "generators", "operable_mw", "proposed_mw", "retired_mw", "is_complete"];
		expectSame(answers, view, "plant_id,year", { except: [...summed, "linked_requests", "source", "as_of"] });
		expect([...view.values()].filter(({ is_newest }) => is_newest)).toHaveLength(answers.length);
		expect(view.size).toBeGreaterThan(answers.length);
	});

	test("owners of a linked plant are those of the request's ownership", async () => {
		const [linked] = await select(
			"grid",
			`select l.project_id, l.plant_id from project_plants l
			where exists (from generator_owners o where o.plant_id = l.plant_id) order by project_id limit 1`,
		);
		const answer = await get(`/projects/${linked?.project_id}/ownership`);
		const { plant, owners } = answer as { plant: Row; owners: Row[] };
		const links = await viewRows(world.url, "grid", "project_plants", "plant_id,project_id");
		expectSame([{ ...plant, project_id: linked?.project_id }], links, "plant_id,project_id", {
			except: ["plant_name"],
		});
		const view = await viewRows(world.url, "grid", "generator_owners", "owner_name,source,report_date");
		expectSame(owners, view, "owner_name,source,report_date", { except: ["fraction_owned"] });
	});
});

describe("signals and capital", () => {
	test("events are the rows of GET /events", async () => {
		const key = "developer_canonical,url";
		expectSame(
			await list("/events?days=365&per_page=200&include_parent=true"),
			await viewRows(world.url, "signals", "events", key),
			key,
		);
	});

	test("current reports are the rows of GET /material-events", async () => {
		const key = "accession_number";
		expectSame(
			await list("/material-events?per_page=200"),
			await viewRows(world.url, "signals", "material_events", key),
			key,
		);
	});

	test("changes of hands are the rows of GET /ma-events", async () => {
		const key = "event_type,effective_date,plant_id_eia,generator_id,queue_id,region,seller,buyer";
		const view = await viewRows(world.url, "signals", "ma_events", key);
		const answers = await list("/ma-events?per_page=200");
		expectSame(answers, view, key);
		expect(view.size).toBe(answers.length);
	});

	test("raises are the rows of GET /capital-raises, and their sums those of the leaderboard", async () => {
		const view = await viewRows(world.url, "capital", "capital_raises", "accession_number");
		expectSame(await list("/capital-raises?per_page=200"), view, "accession_number");
		const raised = (await leaders("/capital/leaderboard?min_raised=1&limit=200")).map(
			({ developer_id, developer, tier, capital_raised, raise_count, latest_raise }) => ({
				...{ developer_id, developer, tier, capital_raised, raise_count, latest_raise },
			}),
		);
		expectSame(raised, await viewRows(world.url, "capital", "developer_raises", "developer_id"), "developer_id");
	});
});

describe("scores", () => {
	// Columns of other views: projects of the database master, and interconnection_costs. The day of the list is in `inputs`.
	const elsewhere = ["facts_as_of", "security_posted", "network_upgrade_usd_per_kw", "incremental_mw"];

	test("are those of GET /investable, with the components of GET /score", async () => {
		const view = await viewRows(world.url, "scoring", "scores", "project_id");
		const answers = await list("/investable?per_page=200");
		expectSame(answers, view, "project_id", { renamed: { id: "project_id" }, except: ["explanation", ...elsewhere] });
		for (const { id } of answers.slice(0, 5)) {
			const { components, inputs, ...score } = await get(`/score/${id}`);
			const made = Object.entries(components as Record<string, { score: number }>).map(
				([name, { score: points }]) => [`${name}_score`, points] as const,
			);
			const { grade, investable, investability_score, score_version, scored_at, project_id } = score;
			const answer = { grade, investable, investability_score, score_version, scored_at, project_id, inputs };
			expectSame([{ ...answer, ...Object.fromEntries(made) }], view, "project_id");
		}
	});

	test("credits are the rows of GET /deals/itc", async () => {
		const scores = await viewRows(world.url, "scoring", "scores", "project_id");
		const credits = await viewRows(world.url, "scoring", "tax_credits", "project_id");
		const both = new Map([...credits].map(([id, row]) => [id, { ...scores.get(id), ...row }]));
		const options = { renamed: { id: "project_id" }, except: elsewhere };
		expectSame(await list("/deals/itc?per_page=200"), both, "project_id", options);
	});

	test("ratings are the rows of GET /capital/leaderboard, and the profile of GET /developers/{id}/capital", async () => {
		const view = await viewRows(world.url, "scoring", "developer_standings", "developer_id");
		const flat = ({ distress_signal, signal_events, raises, ...row }: Row): Row => {
			const { level, score, judged, components } = distress_signal as Row;
			const distress = { distress_level: level, distress_score: score, distress_judged: judged };
			return { ...row, ...distress, distress_components: components, ...(signal_events as Row | undefined) };
		};
		const answers = await leaders("/capital/leaderboard?limit=200");
		expectSame(answers.map(flat), view, "developer_id");
		const profiles = [];
		for (const { developer_id } of answers.slice(0, 5))
			profiles.push(flat(await get(`/developers/${developer_id}/capital`)));
		expectSame(profiles, view, "developer_id", { renamed: { behind_schedule_projects: "behind_schedule" } });
	});

	test("the latest entries of the history of scores equal the present scores", async () => {
		const [scores] = await select(
			"scoring",
			`select count(*) as rows, count(*) filter (where (h.investability_score, h.grade, h.inputs_hash, h.effective_credit_rate)
				is not distinct from (s.investability_score, s.grade, h.inputs_hash, s.effective_credit_rate)) as equal
			from scores s left join score_history h on h.project_id = s.project_id and h.valid_to is null`,
		);
		expect(scores?.rows).toBeGreaterThan(20);
		expect(scores?.equal).toBe(scores?.rows);
	});

	test("every list that is loaded is shown, and its entries", async () => {
		const lists = await select("scoring", "select kind, rows from reference_lists");
		expect(lists.length).toBeGreaterThan(0);
		const [counted] = await select(
			"scoring",
			"select (select count(*) from energy_community_counties) + (select count(*) from coal_closure_tracts) as entries",
		);
		expect(counted?.entries).toBeGreaterThan(0);
	});
});

test("health names the nine databases, with the rows that their views hold", async () => {
	const { databases: shown } = (await get("/health/detailed")) as { databases: Row[] };
	expect(shown.map(({ name }) => name).toSorted()).toEqual([...databases].toSorted());
	const shownRows = (name: Database) => shown.find((row) => row.name === name)?.row_count;
	const count = async (name: Database, view: string) => (await select(name, `select count(*) as n from ${view}`))[0]?.n;
	expect(shownRows("master")).toBe(await count("master", "projects"));
	expect(shownRows("developer")).toBe(await count("developer", "developers"));
	expect(shownRows("grid")).toBe((await select("grid", "select sum(records) as n from eia_schedules"))[0]?.n);
	expect(shownRows("capital")).toBe(await count("capital", "capital_raises"));
	for (const { name, size_mb } of shown)
		expect([name, Number(size_mb) > 0]).toEqual([name, name !== "dg" || size_mb !== 0]);
});
