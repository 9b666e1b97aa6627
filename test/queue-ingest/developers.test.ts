/** Developers of requests: links with their evidence, portfolios in the projects' own transactions, the register. */
import { describe, expect, it } from "vitest";
import { events, type Reply } from "#libs/contract/index.ts";
import { readSeed } from "#libs/names/seed.ts";
import { syncRegister } from "../../services/queue-ingest/developers/jobs/register.ts";
import type { QueueRow } from "../support/queue-files.ts";
import { filedBy, registerWith, wrongPortfolios } from "./support/developers.ts";
import { openQueue, type Queue } from "./support/queue.ts";
import { projectOf, takeErcot } from "./support/scoring.ts";
import { sharedQueue } from "./support/shared-queue.ts";

/** Portfolios as stored, beside what a recount from the projects gives. */
async function expectKept(queue: Queue): Promise<void> {
	expect([...(await wrongPortfolios(queue.sql))]).toEqual([]);
}

describe("a filed name", () => {
	const own = "Canal Kettlebrook Battery Storage";
	const saturnine = ["SATURNINE SOLAR STORAGE LLC", "Saturnine Solar Storage", "Saturnine Solar Storage, L.L.C."];
	const names = [
		...["Invenergy LLC", "Lincoln Clean Energy, LLC", "Quillfeather Renewables LLC", "QUILLFEATHER RENEWABLES, Inc."],
		...["Bluestem Hollow Solar II, LLC", "Confidential", own, "Canal Kettlebrook Partners", "Orrin Lacey LLC"],
		...["Orrin Lacey Development LLC", "Orrin Tace Inc", "Inenergy", "Inenergy"],
	];
	const called = new Map([
		[names.indexOf(own), own],
		...["Otter Brook Wind", "Pale Ridge Storage", "Quarry Lake Solar"].map(
			(name, at) => [names.length + at, name] as const,
		),
	]);
	/** The list has this many of the last name's three requests. */
	const list = (count: number) =>
		filedBy([...names, ...saturnine])
			.map((row, at) => ({ ...row, name: called.get(at) ?? row.name }))
			.filter((_, at) => at < names.length + count || at >= names.length + saturnine.length);
	const queue: Queue = sharedQueue(async () => {
		await takeErcot(queue, "2026-03-01", list(0));
	});

	const outcomes = async (like: string) => {
		const links = await queue.sql<{ name: string; outcome: string }[]>`
			select raw_name as name, outcome from developer_links where raw_name ilike ${like}`;
		return Object.fromEntries(links.map(({ name, outcome }) => [name, outcome]));
	};

	it("is linked to the developer behind it, with method, confidence and the text that matched", async () => {
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
		const [first, second] = [await projectOf(queue, 2), await projectOf(queue, 3)];
		expect(first.developer_id).not.toBeNull();
		expect(second.developer_id).toBe(first.developer_id);
		expect(first).toMatchObject({ developer_tier: "unknown", developer_match: { method: "developer_exact" } });
		expect((await queue.ask("listDevelopers", { q: "quillfeather" })).data).toMatchObject([
			{ tier: "unknown", total_projects: 2 },
		]);
	});

	it("of a project company is stored as a shell, not as a developer", async () => {
		for (const at of [4, 5]) {
			expect(await projectOf(queue, at)).toMatchObject({
				developer_id: null,
				developer_canonical: null,
				developer_tier: "unknown",
				developer_match: null,
			});
		}
		const links = await queue.sql`
			select raw_name, outcome, is_shell, family from developer_links
			where raw_name in ${queue.sql(names.slice(4, 6))} order by raw_name`;
		expect([...links]).toEqual([
			{ raw_name: "Bluestem Hollow Solar II, LLC", outcome: "shell", is_shell: true, family: expect.any(String) },
			{ raw_name: "Confidential", outcome: "none", is_shell: false, family: null },
		]);
		expect((await queue.ask("listDevelopers", { q: "bluestem" })).meta.total).toBe(0);
		const { results } = await queue.ask("search", { q: "Bluestem Hollow" });
		expect(results.every((hit) => hit.kind !== "developer")).toBe(true);
	});

	it("that is also the name of its only request is that request's shell", async () => {
		expect(await outcomes("Canal%")).toEqual({ [own]: "shell", "Canal Kettlebrook Partners": "new" });
	});

	it("of an otherwise unknown company with one project is that project's shell", async () => {
		expect(await outcomes("Orrin%")).toEqual({
			"Orrin Lacey LLC": "shell",
			"Orrin Lacey Development LLC": "new",
			"Orrin Tace Inc": "new",
		});
	});

	it("that nearly matches waits in the review list and is linked to no developer", async () => {
		expect(await projectOf(queue, 11)).toMatchObject({ developer_id: null, developer_canonical: null });
		const { data } = await queue.ask("listNameReviews");
		expect(data).toMatchObject([
			{ raw_name: "Inenergy", project_count: 2, candidates: [{ canonical_name: "Invenergy" }] },
		]);
	});

	it("is one company in all its spellings once it files a third project, in any order of lists", async () => {
		await takeErcot(queue, "2026-03-02", list(1));
		await takeErcot(queue, "2026-03-03", list(3));
		expect(await outcomes("saturnine%")).toEqual(Object.fromEntries(saturnine.map((name) => [name, "new"])));
		expect((await queue.ask("listDevelopers", { q: "saturnine" })).data).toMatchObject([{ total_projects: 3 }]);
		await expectKept(queue);
	});
});

describe("a portfolio", () => {
	it("follows every list: new, changed, withdrawn and handed over requests", async () => {
		await using queue = await openQueue();
		const names = ["Invenergy LLC", "Invenergy LLC", "Invenergy LLC", "Avantus LLC"];
		const first = filedBy(names);
		await takeErcot(queue, "2026-03-01", first);
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
		await takeErcot(queue, "2026-03-02", second);
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

	it("is published once per change with a higher version, and each project with its former developer and the number of transfers", async () => {
		await using queue = await openQueue();
		const first = filedBy(["Invenergy LLC", "Avantus LLC"]);
		await takeErcot(queue, "2026-03-01", first);
		const sent = async () => {
			const found = await queue.sql<{ payload: string }[]>`
				delete from outbox where subject like '%developer.changed' returning payload::text as payload`;
			return found.map((row) => events.developerChanged.payload.parse(JSON.parse(row.payload)));
		};
		const before = (await sent()).filter((event) => event.canonical_name === "Invenergy");
		expect(before.at(-1)).toMatchObject({ portfolio: { total_projects: 1 }, known: true });
		await takeErcot(
			queue,
			"2026-03-02",
			first.map((row, at) => (at === 0 ? { ...row, mw: 333 } : row)),
		);
		const after = await sent();
		expect(after).toMatchObject([{ canonical_name: "Invenergy", portfolio: { total_capacity_mw: 333 } }]);
		expect(after[0]?.version).toBeGreaterThan(before.at(-1)?.version ?? Infinity);
		const larger = first.map((row, at) => (at === 0 ? { ...row, mw: 333 } : row));
		await takeErcot(
			queue,
			"2026-03-03",
			larger.map((row, at) => (at === 119 ? { ...row, mw: 77 } : row)),
		);
		expect(await sent()).toEqual([]);

		await queue.sql`delete from outbox`;
		await takeErcot(
			queue,
			"2026-03-04",
			larger.map((row, at) =>
				at === 0 ? { ...row, developer: "Plus Power LLC" } : at === 1 ? { ...row, mw: 9 } : row,
			),
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

describe("responses about developers", () => {
	const queue: Queue = sharedQueue(async () => {
		const names = ["Invenergy LLC", "Invenergy Wind Development North America LLC", "Avantus LLC", "Avantus LLC"];
		const list = filedBy([...names, "Pine Gate Renewables LLC", "Pine Gate Renewables LLC"]);
		await takeErcot(
			queue,
			"2026-03-01",
			// The one request of the fourth is larger than the two of any other.
			list.map((row, at) => (at === 6 ? { ...row, developer: "Plus Power LLC", mw: 400 } : row)),
		);
	});

	it("find one by number, name or alias, list its requests by stage, and are 404 for an unknown one", async () => {
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
		const { data } = await queue.ask("getDeveloper", { developer_id: "Scout Clean Energy" });
		expect(data.relationships.parent).toMatchObject({ name: "Brookfield", developer_id: expect.any(Number) });
		const parent = await queue.ask("getDeveloper", { developer_id: String(data.relationships.parent?.developer_id) });
		expect(parent.data.relationships.subsidiaries.map((row) => row.canonical_name)).toEqual(
			expect.arrayContaining(["Scout Clean Energy", "Geronimo Power", "Deriva Energy"]),
		);
	});

	it("search finds a misspelt name, and the name itself first", async () => {
		const { results } = await queue.ask("searchDevelopers", { q: "cypres crek renewables" });
		expect(results[0]).toMatchObject({ canonical_name: "Cypress Creek Renewables" });
		const exact = await queue.ask("searchDevelopers", { q: "AES" });
		expect(exact.results[0]).toMatchObject({ canonical_name: "AES", score: 1 });
		expect(exact.results.map((row) => row.score)).toEqual(exact.results.map((row) => row.score).sort((a, b) => b - a));
	});

	it("search is read to its end page by page, by number or by cursor", async () => {
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

	it("filter and sort as the contract declares", async () => {
		const listed = await queue.ask("listDevelopers", { min_projects: "1" });
		expect(listed.data.map((row) => [row.canonical_name, row.total_projects])).toEqual([
			["Pine Gate Renewables", 2],
			["Avantus", 2],
			["Invenergy", 2],
			["Plus Power", 1],
		]);
		const texas = await queue.ask("listDevelopers", {
			state: "tx",
			min_projects: "1",
			sort: "canonical_name",
			order: "asc",
		});
		expect(texas.data.map((row) => row.canonical_name)).toEqual([
			"Avantus",
			"Invenergy",
			"Pine Gate Renewables",
			"Plus Power",
		]);
		const utilities = await queue.ask("listDevelopers", { tier: "major_utility", per_page: "200" });
		expect(utilities.data.length).toBeGreaterThan(40);
		expect(new Set(utilities.data.map((row) => row.tier))).toEqual(new Set(["major_utility"]));
		const stats = await queue.ask("getDeveloperStats");
		expect(stats.by_tier.reduce((sum, row) => sum + row.count, 0)).toBe(stats.total_developers);
		expect(stats.active_states_avg).toBe(1);
	});

	it("with equal rank are sorted by size, and read to the end in this order", async () => {
		const sizes = { Invenergy: 300, Avantus: 20, "Pine Gate Renewables": 100 };
		for (const [name, mw] of Object.entries(sizes))
			await queue.sql`
				update developers set portfolio = portfolio || jsonb_build_object('active_capacity_mw', ${mw}::float8)
				where canonical_name = ${name}`;
		const followed: string[] = [];
		for (let cursor: string | null = "*"; cursor !== null; ) {
			const answer: Reply<"listDevelopers"> = await queue.ask("listDevelopers", {
				min_projects: "2",
				per_page: "1",
				cursor,
			});
			followed.push(...answer.data.map(({ canonical_name }) => canonical_name));
			cursor = answer.meta.next_cursor ?? null;
		}
		expect(followed).toEqual(["Invenergy", "Pine Gate Renewables", "Avantus"]);
	});
});

describe("the register", () => {
	const queue: Queue = sharedQueue(async () => {
		await takeErcot(queue, "2026-03-01", filedBy(["Avantus LLC", "Quillfeather Renewables LLC", "KCE TX 24, LLC"]));
	});

	it("changes nothing when applied again", async () => {
		await queue.sql`delete from outbox`;
		expect(await syncRegister(queue.sql)).toBe(false);
		expect(await queue.sql`select from outbox`).toHaveLength(0);
	});

	it("keeps the id of a developer that is renamed, and its former name", async () => {
		const before = await projectOf(queue, 0);
		expect(await syncRegister(queue.sql, registerWith("Avantus", "Avantus Power Co-Lab"))).toBe(true);
		const after = await projectOf(queue, 0);
		expect(after).toMatchObject({ developer_id: before.developer_id, developer_canonical: "Avantus Power Co-Lab" });
		expect(after.version).toBe(before.version + 1);
		const { data } = await queue.ask("getDeveloper", { developer_id: String(before.developer_id) });
		expect(data.aliases).toContain("Avantus");
		await expectKept(queue);
		await syncRegister(queue.sql);
	});

	it("with a new alias moves the requests filed under it, without a change in the queue", async () => {
		const before = await projectOf(queue, 1);
		const seq = await queue.lastSeq();
		await syncRegister(queue.sql, registerWith("Quillfeather Renewables"));
		expect(await projectOf(queue, 1)).toMatchObject({ developer_canonical: "Avantus", version: before.version + 1 });
		expect(await queue.lastSeq()).toBe(seq);
		expect((await queue.ask("listDevelopers", { q: "quillfeather renewables" })).data).toMatchObject([
			{ canonical_name: "Avantus", total_projects: 2 },
		]);
		await expectKept(queue);
		await syncRegister(queue.sql);
	});

	it("keeps the id of a developer that takes a name already used by a queue", async () => {
		const before = await projectOf(queue, 0);
		await syncRegister(queue.sql, registerWith("Avantus", "Quillfeather Renewables"));
		for (const at of [0, 1]) {
			expect(await projectOf(queue, at)).toMatchObject({
				developer_id: before.developer_id,
				developer_canonical: "Quillfeather Renewables",
			});
		}
		expect((await queue.ask("listDevelopers", { q: "quillfeather" })).data).toMatchObject([{ total_projects: 2 }]);
		await expectKept(queue);
		await syncRegister(queue.sql);
		expect(await projectOf(queue, 0)).toMatchObject({
			developer_id: before.developer_id,
			developer_canonical: "Avantus",
		});
		await expectKept(queue);
	});

	it("drops removed developers", async () => {
		expect(await projectOf(queue, 2)).toMatchObject({ developer_canonical: "Key Capture Energy" });
		await syncRegister(
			queue.sql,
			readSeed().filter(({ canonical }) => canonical !== "Key Capture Energy"),
		);
		expect(await projectOf(queue, 2)).toMatchObject({ developer_id: null, developer_tier: "unknown" });
		await expect(queue.ask("getDeveloper", { developer_id: "Key Capture Energy" })).rejects.toMatchObject({
			status: 404,
		});
		await expectKept(queue);
	});
});
