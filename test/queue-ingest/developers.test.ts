/** Developers of requests: links with their evidence, portfolios in the projects' own transactions, the register. */
import { describe, expect, it } from "vitest";
import { events, type Reply } from "#libs/contract/index.ts";
import { readSeed, type SeedDeveloper } from "#libs/names/seed.ts";
import { syncRegister } from "../../services/queue-ingest/developers/jobs/register.ts";
import { type QueueRow, queueFile, queueRows } from "../support/queue-files.ts";
import { wrongPortfolios } from "./support/portfolios.ts";
import { openQueue, type Queue } from "./support/queue.ts";

/** ERCOT names its developers. */
const rows = (developers: (string | undefined)[]): QueueRow[] =>
	queueRows("ercot", { count: 120 }).map((row, at) => ({
		...row,
		status: "active",
		ended: null,
		developer: developers[at] ?? "Confidential",
		mw: 100 + at,
	}));

async function take(queue: Queue, day: string, list: QueueRow[]) {
	const result = await queue.take("ERCOT", day, await queueFile("ercot", list));
	expect(result).toMatchObject({ outcome: "applied" });
}

const projectOf = async (queue: Queue, at: number) => {
	const number = rows([])[at]?.number ?? "";
	return queue.ask("getProject", { project_id: number, region: "ERCOT" });
};

/** Portfolios as stored, beside what a recount from the projects gives. */
async function expectKept(queue: Queue): Promise<void> {
	expect([...(await wrongPortfolios(queue.sql))]).toEqual([]);
}

describe("a filed name", () => {
	it("is linked to the developer behind it, with method, confidence and the text that matched", async () => {
		await using queue = await openQueue();
		await take(queue, "2026-03-01", rows(["Invenergy LLC", "Lincoln Clean Energy, LLC"]));
		expect(await projectOf(queue, 0)).toMatchObject({
			developer: "Invenergy LLC",
			developer_canonical: "Invenergy",
			developer_tier: "major_ipp",
			developer_match: { confidence: 1, matched_text: expect.stringMatching(/invenergy/i) },
		});
		expect(await projectOf(queue, 1)).toMatchObject({
			developer_canonical: "Orsted Americas",
			developer_match: { method: "developer_alias", confidence: 1 },
		});
	});

	it("that is unknown is one new developer of tier unknown, however it is spelled", async () => {
		await using queue = await openQueue();
		await take(queue, "2026-03-01", rows(["Quillfeather Renewables LLC", "QUILLFEATHER RENEWABLES, Inc."]));
		const [first, second] = [await projectOf(queue, 0), await projectOf(queue, 1)];
		expect(first.developer_id).not.toBeNull();
		expect(second.developer_id).toBe(first.developer_id);
		expect(first).toMatchObject({ developer_tier: "unknown", developer_match: { method: "developer_exact" } });
		expect((await queue.ask("listDevelopers", { q: "quillfeather" })).data).toMatchObject([
			{ tier: "unknown", total_projects: 2 },
		]);
	});

	it("of a project's own company is stored as a shell and is no developer", async () => {
		await using queue = await openQueue();
		await take(queue, "2026-03-01", rows(["Bluestem Hollow Solar II, LLC", "Confidential"]));
		for (const at of [0, 1]) {
			expect(await projectOf(queue, at)).toMatchObject({
				developer_id: null,
				developer_canonical: null,
				developer_tier: "unknown",
				developer_match: null,
			});
		}
		const links = await queue.sql`
			select raw_name, outcome, is_shell, family from developer_links order by raw_name`;
		expect([...links]).toEqual([
			{ raw_name: "Bluestem Hollow Solar II, LLC", outcome: "shell", is_shell: true, family: expect.any(String) },
			{ raw_name: "Confidential", outcome: "none", is_shell: false, family: null },
		]);
		expect((await queue.ask("listDevelopers", { q: "bluestem" })).meta.total).toBe(0);
		const { results } = await queue.ask("search", { q: "Bluestem Hollow" });
		expect(results.every((hit) => hit.kind !== "developer")).toBe(true);
	});

	it("that is also the name of its only request is that request's shell", async () => {
		await using queue = await openQueue();
		const [first, ...others] = rows(["Canal Kettlebrook Battery Storage", "Canal Kettlebrook Partners"]);
		if (first === undefined) throw new Error("no row");
		await take(queue, "2026-03-01", [{ ...first, name: "Canal Kettlebrook Battery Storage" }, ...others]);
		const outcomes =
			await queue.sql`select outcome from developer_links where raw_name like 'Canal%' order by raw_name`;
		expect(outcomes.map((row) => row.outcome)).toEqual(["shell", "new"]);
	});

	it("of a company that is otherwise unknown and has one project is that project's", async () => {
		await using queue = await openQueue();
		await take(queue, "2026-03-01", rows(["Orrin Lacey LLC", "Orrin Lacey Development LLC", "Orrin Tace Inc"]));
		const outcomes = await queue.sql`select raw_name, outcome from developer_links where raw_name like 'Orrin%'`;
		expect(Object.fromEntries(outcomes.map((row) => [row.raw_name, row.outcome]))).toEqual({
			"Orrin Lacey LLC": "shell",
			"Orrin Lacey Development LLC": "new",
			"Orrin Tace Inc": "new",
		});
	});

	it("is one company in all its spellings once it files a third project, in whatever order the lists come", async () => {
		await using queue = await openQueue();
		const filed = ["SATURNINE SOLAR STORAGE LLC", "Saturnine Solar Storage", "Saturnine Solar Storage, L.L.C."];
		const called = ["Otter Brook Wind", "Pale Ridge Storage", "Quarry Lake Solar"];
		const all = rows(filed).map((row, at) => ({ ...row, name: called[at] ?? row.name }));
		const lists = [all.slice(3), [...all.slice(3), ...all.slice(0, 1)], all];
		for (const [day, list] of lists.entries()) await take(queue, `2026-03-0${day + 1}`, list);
		const outcomes = await queue.sql`select distinct outcome from developer_links where raw_name ilike 'saturnine%'`;
		expect([...outcomes]).toEqual([{ outcome: "new" }]);
		expect((await queue.ask("listDevelopers", { q: "saturnine" })).data).toMatchObject([{ total_projects: 3 }]);
		await expectKept(queue);
	});

	it("that was nearly matched waits in the review list and is linked to no developer", async () => {
		await using queue = await openQueue();
		await take(queue, "2026-03-01", rows(["Inenergy", "Inenergy"]));
		expect(await projectOf(queue, 0)).toMatchObject({ developer_id: null, developer_canonical: null });
		const { data } = await queue.ask("listNameReviews");
		expect(data).toMatchObject([
			{ raw_name: "Inenergy", project_count: 2, candidates: [{ canonical_name: "Invenergy" }] },
		]);
	});
});

describe("a portfolio", () => {
	it("follows every list: new, changed, withdrawn and handed over requests", async () => {
		await using queue = await openQueue();
		const names = ["Invenergy LLC", "Invenergy LLC", "Invenergy LLC", "Avantus LLC"];
		const first = rows(names);
		await take(queue, "2026-03-01", first);
		await expectKept(queue);
		const invenergy = await queue.ask("getDeveloper", { developer_id: "Invenergy" });
		expect(invenergy.data).toMatchObject({
			total_projects: 3,
			total_capacity_mw: 100 + 101 + 102,
			active_capacity_mw: 303,
			withdrawn_projects: 0,
			completion_rate: null,
			states_active: ["TX"],
		});
		const second = first.map((row, at): QueueRow => {
			if (at === 0) return { ...row, mw: 250 };
			return at === 1 ? { ...row, developer: "Avantus LLC" } : row;
		});
		await take(queue, "2026-03-02", second);
		await expectKept(queue);
		const by = async (name: string) => (await queue.ask("getDeveloper", { developer_id: name })).data;
		expect(await by("Invenergy")).toMatchObject({ total_projects: 2, total_capacity_mw: 250 + 102 });
		expect(await by("Avantus")).toMatchObject({ total_projects: 2, total_capacity_mw: 101 + 103 });
		expect(await queue.changeRows()).toContainEqual([
			expect.any(String),
			"developer_change",
			"developer",
			"Invenergy LLC",
			"Avantus LLC",
		]);
	});

	it("goes out as developer.changed, once for each change, at a higher version", async () => {
		await using queue = await openQueue();
		const first = rows(["Invenergy LLC", "Avantus LLC"]);
		await take(queue, "2026-03-01", first);
		const sent = async () => {
			const found = await queue.sql<{ payload: string }[]>`
				delete from outbox where subject like '%developer.changed' returning payload::text as payload`;
			return found.map((row) => events.developerChanged.payload.parse(JSON.parse(row.payload)));
		};
		const before = (await sent()).filter((event) => event.canonical_name === "Invenergy");
		expect(before.at(-1)).toMatchObject({ portfolio: { total_projects: 1 }, known: true });
		await take(
			queue,
			"2026-03-02",
			first.map((row, at) => (at === 0 ? { ...row, mw: 333 } : row)),
		);
		const after = await sent();
		expect(after).toMatchObject([{ canonical_name: "Invenergy", portfolio: { total_capacity_mw: 333 } }]);
		expect(after[0]?.version).toBeGreaterThan(before.at(-1)?.version ?? Infinity);
		const second = first.map((row, at): QueueRow => (at === 119 ? { ...row, mw: 77 } : row));
		await take(
			queue,
			"2026-03-03",
			second.map((row, at) => (at === 0 ? { ...row, mw: 333 } : row)),
		);
		expect(await sent()).toEqual([]);
	});

	it("is published with each project: the developer before, and how many changed hands", async () => {
		await using queue = await openQueue();
		const first = rows(["Invenergy LLC", "Avantus LLC"]);
		await take(queue, "2026-03-01", first);
		await queue.sql`delete from outbox`;
		await take(
			queue,
			"2026-03-02",
			first.map((row, at) => (at === 0 ? { ...row, developer: "Plus Power LLC" } : at === 1 ? { ...row, mw: 9 } : row)),
		);
		const { changed, applied } = await queue.announced();
		const previous = changed.map((event) => [event.project.developer_canonical, event.previous_developer]);
		expect(previous).toEqual(
			expect.arrayContaining([
				["Plus Power", { filed: "Invenergy LLC", canonical: "Invenergy" }],
				["Avantus", null],
			]),
		);
		expect(applied).toMatchObject([{ developer_changes: 1, snapshot_id: changed[0]?.snapshot_id }]);
	});
});

describe("the answers about developers", () => {
	it("find one by number, name or alias, list its requests by stage, and say 404 for an unknown one", async () => {
		await using queue = await openQueue();
		await take(queue, "2026-03-01", rows(["Invenergy LLC", "Invenergy Wind Development North America LLC"]));
		const { data } = await queue.ask("getDeveloper", { developer_id: "invenergy renewables" });
		expect(data.canonical_name).toBe("Invenergy");
		const listed = await queue.ask("listDeveloperProjects", { developer_id: String(data.developer_id), per_page: "1" });
		expect(listed).toMatchObject({
			developer: "Invenergy",
			total_projects: data.total_projects,
			meta: { total: data.total_projects, page: 1, per_page: 1, pages: data.total_projects },
		});
		expect(listed.projects).toHaveLength(1);
		expect(Object.values(listed.by_stage).reduce((sum, count) => sum + count, 0)).toBe(data.total_projects);
		await expect(queue.ask("getDeveloper", { developer_id: "999999999" })).rejects.toMatchObject({ status: 404 });
		await expect(queue.ask("listDeveloperProjects", { developer_id: "unknown" })).rejects.toMatchObject({
			status: 404,
		});
	});

	it("show parents and subsidiaries", async () => {
		await using queue = await openQueue();
		const { data } = await queue.ask("getDeveloper", { developer_id: "Scout Clean Energy" });
		expect(data.relationships.parent).toMatchObject({ name: "Brookfield", developer_id: expect.any(Number) });
		const parent = await queue.ask("getDeveloper", { developer_id: String(data.relationships.parent?.developer_id) });
		expect(parent.data.relationships.subsidiaries.map((row) => row.canonical_name)).toEqual(
			expect.arrayContaining(["Scout Clean Energy", "Geronimo Power", "Deriva Energy"]),
		);
	});

	it("search finds a misspelt name, and the name itself first", async () => {
		await using queue = await openQueue();
		const { results } = await queue.ask("searchDevelopers", { q: "cypres crek renewables" });
		expect(results[0]).toMatchObject({ canonical_name: "Cypress Creek Renewables" });
		const exact = await queue.ask("searchDevelopers", { q: "AES" });
		expect(exact.results[0]).toMatchObject({ canonical_name: "AES", score: 1 });
		expect(exact.results.map((row) => row.score)).toEqual(exact.results.map((row) => row.score).sort((a, b) => b - a));
	});

	it("search is read to its end a page at a time, by number or by cursor", async () => {
		await using queue = await openQueue();
		const { results: all, meta } = await queue.ask("searchDevelopers", { q: "renewables", limit: 100 });
		expect(all.length).toBeGreaterThan(20);
		expect(meta).toEqual({ total: all.length, page: 1, per_page: 100, pages: 1 });
		const pages = Math.ceil(all.length / 7);
		const numbered = [];
		for (let page = 1; page <= pages + 1; page++) {
			const answer = await queue.ask("searchDevelopers", { q: "renewables", page, per_page: 7 });
			expect(answer.meta).toEqual({ total: all.length, page, per_page: 7, pages });
			numbered.push(...answer.results);
		}
		expect(numbered).toEqual(all);
		const followed = [];
		let cursor: string | null = "*";
		for (let page = 1; cursor !== null; page++) {
			const answer: Reply<"searchDevelopers"> = await queue.ask("searchDevelopers", {
				q: "renewables",
				per_page: 7,
				cursor,
			});
			expect(answer.meta.page).toBe(page);
			followed.push(...answer.results);
			cursor = answer.meta.next_cursor ?? null;
			if (cursor !== null)
				await expect(queue.ask("searchDevelopers", { q: "power", cursor })).rejects.toThrow(/to another list/);
		}
		expect(followed).toEqual(all);
	});

	it("that are equal are sorted by size, and are read to the end in this order", async () => {
		await using queue = await openQueue();
		await take(queue, "2026-03-01", rows(["Invenergy LLC", "Avantus LLC", "Pine Gate Renewables LLC"]));
		const sizes = { Invenergy: 300, Avantus: 20, "Pine Gate Renewables": 100 };
		for (const [name, mw] of Object.entries(sizes))
			await queue.sql`
				update developers set portfolio = portfolio || jsonb_build_object('active_capacity_mw', ${mw}::float8)
				where canonical_name = ${name}`;
		const followed: string[] = [];
		for (let cursor: string | null = "*"; cursor !== null; ) {
			const answer: Reply<"listDevelopers"> = await queue.ask("listDevelopers", {
				min_projects: "1",
				per_page: "1",
				cursor,
			});
			followed.push(...answer.data.map(({ canonical_name }) => canonical_name));
			cursor = answer.meta.next_cursor ?? null;
		}
		expect(followed).toEqual(["Invenergy", "Pine Gate Renewables", "Avantus"]);
	});

	it("filter and sort as the contract says", async () => {
		await using queue = await openQueue();
		await take(queue, "2026-03-01", rows(["Invenergy LLC", "Avantus LLC", "Avantus LLC"]));
		const listed = await queue.ask("listDevelopers", { min_projects: "1" });
		expect(listed.data.map((row) => [row.canonical_name, row.total_projects])).toEqual([
			["Avantus", 2],
			["Invenergy", 1],
		]);
		const texas = await queue.ask("listDevelopers", {
			state: "tx",
			min_projects: "1",
			sort: "canonical_name",
			order: "asc",
		});
		expect(texas.data.map((row) => row.canonical_name)).toEqual(["Avantus", "Invenergy"]);
		const utilities = await queue.ask("listDevelopers", { tier: "major_utility", per_page: "200" });
		expect(utilities.data.length).toBeGreaterThan(40);
		expect(new Set(utilities.data.map((row) => row.tier))).toEqual(new Set(["major_utility"]));
		const stats = await queue.ask("getDeveloperStats");
		expect(stats.by_tier.reduce((sum, row) => sum + row.count, 0)).toBe(stats.total_developers);
		expect(stats.active_states_avg).toBe(1);
	});
});

describe("the register", () => {
	const renamed = (seed: readonly SeedDeveloper[]): SeedDeveloper[] =>
		seed.map((entry) =>
			entry.canonical === "Avantus"
				? {
						...entry,
						canonical: "Avantus Power Co-Lab",
						aliases: [...entry.aliases, { alias: "Avantus", ambiguous: false }],
					}
				: entry,
		);

	it("keeps the id of a developer that is renamed, and its former name", async () => {
		await using queue = await openQueue();
		await take(queue, "2026-03-01", rows(["Avantus LLC"]));
		const before = await projectOf(queue, 0);
		expect(await syncRegister(queue.sql, renamed(readSeed()))).toBe(true);
		const after = await projectOf(queue, 0);
		expect(after).toMatchObject({ developer_id: before.developer_id, developer_canonical: "Avantus Power Co-Lab" });
		expect(after.version).toBe(before.version + 1);
		const { data } = await queue.ask("getDeveloper", { developer_id: String(before.developer_id) });
		expect(data.aliases).toContain("Avantus");
		await expectKept(queue);
	});

	it("keeps the id of a developer that takes a name which a queue has used already", async () => {
		await using queue = await openQueue();
		await take(queue, "2026-03-01", rows(["Avantus LLC", "Quillfeather Renewables LLC"]));
		const before = await projectOf(queue, 0);
		const seed = readSeed().map((entry) =>
			entry.canonical === "Avantus"
				? {
						...entry,
						canonical: "Quillfeather Renewables",
						aliases: [...entry.aliases, { alias: "Avantus", ambiguous: false }],
					}
				: entry,
		);
		await syncRegister(queue.sql, seed);
		for (const at of [0, 1]) {
			expect(await projectOf(queue, at)).toMatchObject({
				developer_id: before.developer_id,
				developer_canonical: "Quillfeather Renewables",
			});
		}
		expect((await queue.ask("listDevelopers", { q: "quillfeather" })).data).toMatchObject([{ total_projects: 2 }]);
		await expectKept(queue);
		await syncRegister(queue.sql, readSeed());
		expect(await projectOf(queue, 0)).toMatchObject({
			developer_id: before.developer_id,
			developer_canonical: "Avantus",
		});
		await expectKept(queue);
	});

	it("no longer knows what was dropped from it", async () => {
		await using queue = await openQueue();
		await take(queue, "2026-03-01", rows(["KCE TX 24, LLC"]));
		expect(await projectOf(queue, 0)).toMatchObject({ developer_canonical: "Key Capture Energy" });
		await syncRegister(
			queue.sql,
			readSeed().filter(({ canonical }) => canonical !== "Key Capture Energy"),
		);
		expect(await projectOf(queue, 0)).toMatchObject({ developer_id: null, developer_tier: "unknown" });
		await expect(queue.ask("getDeveloper", { developer_id: "Key Capture Energy" })).rejects.toMatchObject({
			status: 404,
		});
		await expectKept(queue);
	});

	it("applied again changes nothing", async () => {
		await using queue = await openQueue();
		await queue.sql`delete from outbox`;
		expect(await syncRegister(queue.sql)).toBe(false);
		expect(await queue.sql`select from outbox`).toHaveLength(0);
	});

	it("that learns an alias moves the requests filed under it, without a change in the queue", async () => {
		await using queue = await openQueue();
		await take(queue, "2026-03-01", rows(["Quillfeather Renewables LLC"]));
		const before = await projectOf(queue, 0);
		const seed = readSeed().map((entry) =>
			entry.canonical === "Avantus"
				? { ...entry, aliases: [...entry.aliases, { alias: "Quillfeather Renewables", ambiguous: false }] }
				: entry,
		);
		const seq = await queue.lastSeq();
		await syncRegister(queue.sql, seed);
		expect(await projectOf(queue, 0)).toMatchObject({ developer_canonical: "Avantus", version: before.version + 1 });
		expect(await queue.lastSeq()).toBe(seq);
		expect((await queue.ask("listDevelopers", { q: "quillfeather renewables" })).data).toMatchObject([
			{ canonical_name: "Avantus", total_projects: 1 },
		]);
		await expectKept(queue);
	});
});
