/** Disputes and the corrections that follow from them: kept through lists and editions of the register, taken back, one reviewer at a time. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { AppError } from "#libs/contract/errors.ts";
import type { ParamsInput } from "#libs/contract/index.ts";
import { readSeed, type SeedDeveloper } from "#libs/names/seed.ts";
import { review } from "../../services/queue-ingest/admin/review.ts";
import { loadDevelopers } from "../../services/queue-ingest/developers/jobs/load-developers.ts";
import { syncRegister } from "../../services/queue-ingest/developers/jobs/register.ts";
import { maxOpen } from "../../services/queue-ingest/quality/disputes/record-dispute.ts";
import { toPlainLine } from "../../services/queue-ingest/quality/disputes/waiting.ts";
import { filedBy, wrongPortfolios } from "./support/developers.ts";
import { openQueue, type Queue } from "./support/queue.ts";
import { idOf, projectOf, takeErcot } from "./support/scoring.ts";
import { sharedQueue } from "./support/shared-queue.ts";

const take = (queue: Queue, day: string, developers: string[], mw = 100) =>
	takeErcot(queue, day, filedBy(developers, { count: 60, mw }));

const open = (queue: Queue, given: Partial<ParamsInput<"recordDispute">>) =>
	queue.ask("recordDispute", {
		about: "developer_link",
		reason: "The county's permit names another company.",
		evidence_url: "https://example.org/permit",
		filer: "account:1",
		...given,
	});

afterEach(() => void vi.restoreAllMocks());

/** Output of the command; its clock is set to the day of the decision. */
async function run(queue: Queue, ...args: string[]): Promise<string> {
	const printed: string[] = [];
	const spy = vi.spyOn(console, "log").mockImplementation((line: string) => void printed.push(line));
	try {
		await review(args, { POSTGRES_URL: queue.url }, () => new Date("2026-11-20T12:00:00Z"));
	} finally {
		spy.mockRestore();
	}
	return printed.join("\n");
}

const by = (author: string, reason = "The permit says so.") => ["--author", author, "--reason", reason];

it("an accepted dispute overrides the filed name, through a new list and a new edition of the register, until it is retracted", async () => {
	await using queue = await openQueue();
	await syncRegister(queue.sql);
	await take(queue, "2026-03-01", ["Invenergy LLC", "Invenergy LLC"]);
	const opened = await open(queue, { project_id: idOf(0), proposed: "Pine Gate Renewables" });
	expect(opened).toMatchObject({ state: "open", project_id: idOf(0), stated: "Invenergy", settled_at: null });
	expect(await run(queue)).toContain(`#${opened.dispute_id} open, developer_link`);
	const before = await projectOf(queue, 0);
	const accepted = await run(
		queue,
		...["--accept", String(opened.dispute_id), "--value", "Pine Gate Renewables"],
		...by("A. Reader"),
	);
	expect(accepted).toBe(`dispute ${opened.dispute_id} accepted, correction 1`);
	const corrected = {
		developer: "Invenergy LLC",
		developer_canonical: "Pine Gate Renewables",
		developer_match: {
			...{ method: "correction", confidence: 1, matched_text: "Pine Gate Renewables", plant_id: null },
			evidence: "corrected by A. Reader on 2026-11-20: The permit says so. (https://example.org/permit)",
		},
	};
	expect(await projectOf(queue, 0)).toMatchObject({ ...corrected, version: before.version + 1 });
	expect((await projectOf(queue, 1)).developer_canonical).toBe("Invenergy");
	expect(await queue.ask("getProject", { project_id: idOf(0), as_of: "2026-03-01" })).toMatchObject({
		developer_canonical: "Pine Gate Renewables",
	});
	const { changed } = await queue.announced();
	expect(changed.filter(({ project }) => project.id === idOf(0)).at(-1)?.project).toMatchObject({
		developer_canonical: "Pine Gate Renewables",
	});
	expect(await queue.ask("getDispute", { dispute_id: opened.dispute_id })).toMatchObject({
		...{ state: "accepted", decision: "The permit says so.", settled_at: "2026-11-20T12:00:00Z" },
	});
	await take(queue, "2026-03-08", ["Invenergy LLC", "Invenergy LLC"], 101);
	expect(await projectOf(queue, 0)).toMatchObject({ ...corrected, capacity_mw: 101 });
	for (const as_of of ["2026-03-01", "2026-03-08"])
		expect(await queue.ask("getProject", { project_id: idOf(0), as_of })).toMatchObject({
			developer_canonical: "Pine Gate Renewables",
		});
	const seed = readSeed();
	const [first, ...rest] = seed;
	if (first === undefined) throw new Error("no register");
	const edition: SeedDeveloper[] = [{ ...first, headquarters: "AK" }, ...rest];
	expect(await syncRegister(queue.sql, edition)).toBe(true);
	expect(await projectOf(queue, 0)).toMatchObject(corrected);
	expect(await run(queue, "--corrections")).toContain(`1 request ${idOf(0)}: Pine Gate Renewables`);
	await run(queue, "--take-back", "1", ...by("B. Reader", "The permit was another one."));
	expect(await projectOf(queue, 0)).toMatchObject({
		developer_canonical: "Invenergy",
		developer_match: { method: before.developer_match?.method, evidence: null },
	});
	for (const as_of of ["2026-03-01", "2026-03-08"])
		expect(await queue.ask("getProject", { project_id: idOf(0), as_of })).toMatchObject({
			developer_canonical: "Invenergy",
		});
	await expect(run(queue, "--take-back", "1", ...by("B. Reader"))).rejects.toThrow("no correction 1 is in force");
	expect([...(await wrongPortfolios(queue.sql))]).toEqual([]);
});

it("a dispute of a name applies to every spelling and later request of it, also if it belongs to no developer", async () => {
	await using queue = await openQueue();
	await syncRegister(queue.sql);
	await take(queue, "2026-03-01", ["Quillfeather Renewables LLC", "QUILLFEATHER RENEWABLES, Inc."]);
	const { dispute_id } = await open(queue, { project_id: idOf(0) });
	await run(queue, ...["--accept", String(dispute_id), "--value", "Invenergy", "--whole-name"], ...by("A. Reader"));
	const canonicals = async (most: number) =>
		Promise.all([...Array(most).keys()].map(async (at) => (await projectOf(queue, at)).developer_canonical));
	expect(await canonicals(2)).toEqual(["Invenergy", "Invenergy"]);
	expect((await projectOf(queue, 1)).developer_match).toMatchObject({
		...{ method: "correction", evidence: expect.stringContaining("corrected by A. Reader on 2026-11-20") },
	});
	const names = ["Quillfeather Renewables LLC", "QUILLFEATHER RENEWABLES, Inc.", "Quillfeather Renewables, L.L.C."];
	await take(queue, "2026-03-08", names);
	expect(await canonicals(3)).toEqual(["Invenergy", "Invenergy", "Invenergy"]);
	await run(queue, ...["--name", "Quillfeather Renewables LLC", "--value", "none"], ...by("C. Reader"));
	expect(await canonicals(3)).toEqual([null, null, null]);
	await syncRegister(queue.sql, readSeed().slice(1));
	expect(await canonicals(3)).toEqual([null, null, null]);
	await run(queue, "--take-back", "2", ...by("C. Reader"));
	const back = await canonicals(3);
	expect(new Set(back).size).toBe(1);
	expect(back[0]).toMatch(/quillfeather/i);
});

it("a dispute of an identifier replaces the wrong number, through later files", async () => {
	await using queue = await openQueue();
	await syncRegister(queue.sql);
	const list = (more: object) => ({
		name: "company_tickers.json",
		path: "company_tickers.json",
		bytes: Buffer.from(JSON.stringify({ "0": { cik_str: 55, ticker: "DUK", title: "Duke Energy Corp" }, ...more })),
	});
	const now = () => new Date("2026-11-01T00:00:00Z");
	expect((await loadDevelopers(queue.sql, [list({})], now)).outcome).toBe("applied");
	const numbers = async () =>
		(await queue.ask("getDeveloper", { developer_id: "Duke Energy" })).data.identifiers.map(
			({ scheme, value, method }) => [scheme, value, method],
		);
	expect(await numbers()).toEqual([["cik", "55", "name"]]);
	const wrong = { about: "identifier", developer_id: "Duke Energy", identifier: "cik:0055" } as const;
	const { dispute_id, developer_id, identifier } = await open(queue, { ...wrong, proposed: "cik:1326160" });
	expect([typeof developer_id, identifier]).toEqual(["number", "cik:55"]);
	await run(queue, ...["--accept", String(dispute_id), "--value", "cik:1326160"], ...by("A. Reader"));
	expect(await numbers()).toEqual([["cik", "1326160", "correction"]]);
	expect((await queue.ask("listDevelopers", { identifier: "cik:55" })).data).toEqual([]);
	await loadDevelopers(queue.sql, [list({ "1": { cik_str: 9, ticker: "Z", title: "Zebra Power Corp" } })], now);
	expect(await numbers()).toEqual([["cik", "1326160", "correction"]]);
	await run(queue, "--take-back", "1", ...by("A. Reader"));
	await run(queue, "--take-back", "2", ...by("A. Reader"));
	expect(await numbers()).toEqual([["cik", "55", "name"]]);
});

describe("a dispute about a request's developer", () => {
	const queue: Queue = sharedQueue(async () => {
		await syncRegister(queue.sql);
		await take(queue, "2026-03-01", ["Invenergy LLC"]);
	});

	it("is decided once by one of two concurrent reviewers", async () => {
		const { dispute_id } = await open(queue, { project_id: idOf(0) });
		const decide = (author: string, ...more: string[]) =>
			review([...more, "--author", author, "--reason", "Seen."], { POSTGRES_URL: queue.url });
		vi.spyOn(console, "log").mockImplementation(() => undefined);
		const settled = await Promise.allSettled([
			decide("First", "--accept", String(dispute_id), "--value", "Pine Gate Renewables"),
			decide("Second", "--refuse", String(dispute_id)),
		]);
		expect(settled.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
		const lost = settled.find((one) => one.status === "rejected");
		expect(String(lost?.reason)).toMatch(/dispute \d+ was (accepted|refused) by (First|Second) on 20\d\d-/);
		const { state } = await queue.ask("getDispute", { dispute_id });
		expect((await projectOf(queue, 0)).developer_canonical).toBe(
			state === "accepted" ? "Pine Gate Renewables" : "Invenergy",
		);
	});

	it("shows hostile text as one harmless line, and is limited per filer", async () => {
		const reason = "first\u001b[2J\u202egnp.exe\r\n#7 accepted'; drop table disputes; --";
		const { dispute_id } = await open(queue, {
			project_id: idOf(0),
			filer: "account:5",
			reason,
			proposed: "<script>alert(1)</script>",
		});
		const printed = await run(queue, "--show", String(dispute_id));
		expect(printed).toContain("first [2J gnp.exe #7 accepted'; drop table disputes; --");
		for (const mark of ["\u001b", "\u202e", "\r"]) expect(printed).not.toContain(mark);
		expect(toPlainLine("x".repeat(400)).length).toBe(300);
		const answer = JSON.stringify(await queue.ask("getDispute", { dispute_id }));
		expect(answer).not.toContain("gnp.exe");
		expect(answer).not.toContain("script");
		for (let filed = 1; filed < 20; filed++) await open(queue, { project_id: idOf(0), filer: "account:5" });
		const refused = await open(queue, { project_id: idOf(0), filer: "account:5" }).catch((error: unknown) => error);
		expect(refused).toBeInstanceOf(AppError);
		expect(refused).toMatchObject({ status: 429 });
		expect(await open(queue, { project_id: idOf(0), filer: "account:2" })).toMatchObject({ state: "open" });
	});

	it("that requests an impossible value is refused by the command with a sentence", async () => {
		const { dispute_id } = await open(queue, { about: "project_field", project_id: idOf(0), field: "county" });
		const id = String(dispute_id);
		await expect(run(queue, "--accept", id, "--value", "Kern", ...by("A"))).rejects.toThrow("cannot be corrected");
		await expect(run(queue, "--accept", id, "--author", "A")).rejects.toThrow("--reason must be one line of 1 to");
		await expect(run(queue, "--accept", "x", ...by("A"))).rejects.toThrow("is not a whole number");
		await expect(run(queue, "--refuse", "99", ...by("A"))).rejects.toThrow("no dispute 99");
		await expect(run(queue, "--name", "Unfiled Ltd", "--value", "none", ...by("A"))).rejects.toThrow(
			"no list has the name",
		);
		await run(queue, "--accept", id, ...by("A", "The operator was asked."));
		expect(await queue.ask("getDispute", { dispute_id })).toMatchObject({
			...{ state: "accepted", decision: "The operator was asked." },
		});
	});
});

it("displaces disputes of the network that filed most, so that others can still file", async () => {
	await using queue = await openQueue();
	await syncRegister(queue.sql);
	await take(queue, "2026-03-01", ["Invenergy LLC"]);
	const early = await open(queue, { project_id: idOf(0), filer: "address:203.0.113.7" });
	await queue.sql`
		insert into disputes (about, project_id, reason, evidence_url, filer, opened_at)
		select 'developer_link', ${idOf(0)}, 'No reason at all.', 'https://example.org/', 'address:198.51.100.' || n % 250, ${queue.now}
		from generate_series(1, ${maxOpen - 1}) n`;
	const later = await open(queue, { project_id: idOf(0), filer: "address:2001:db8:0:1::/64" });
	const another = await open(queue, { project_id: idOf(0), filer: "account:9" });
	const states = await queue.sql<{ state: string; id: number }[]>`
		select state, dispute_id as id from disputes where state <> 'open' order by dispute_id`;
	const first = early.dispute_id + 1;
	expect([...states]).toEqual([first, first + 1].map((id) => ({ state: "refused", id })));
	expect(await queue.ask("getDispute", { dispute_id: first })).toMatchObject({
		decision: expect.stringContaining("Not reviewed"),
	});
	for (const { dispute_id } of [early, later, another])
		expect(await queue.ask("getDispute", { dispute_id })).toMatchObject({ state: "open" });
});
