/** Resolving numbers, names, points and other publishers' numbers; an ambiguous one is reported, never guessed. */
import { describe, expect, it } from "vitest";
import { resolveOwners } from "../../services/queue-ingest/developers/jobs/link-names.ts";
import { loadEia860 } from "../../services/queue-ingest/plants/jobs/load-eia860.ts";
import { ingestLate } from "../../services/queue-ingest/queues/jobs/late-lists.ts";
import { loadLbnl } from "../../services/queue-ingest/queues/jobs/load-lbnl.ts";
import { csv } from "../support/file-formats.ts";
import { queueFile, queueRows, row } from "../support/queue-files.ts";
import { plantFile, solarFile, utilityFile } from "./support/eia860.ts";
import { misoJson, standing } from "./support/miso.ts";
import { openQueue, type Queue } from "./support/queue.ts";
import { sharedQueue } from "./support/shared-queue.ts";

const kestrel = row("isone", { number: "777", name: "Kestrel Solar", state: "ME", county: "Kent" });
const queue: Queue = sharedQueue(async () => {
	const nyiso = (number: string) =>
		queueFile("nyiso", [
			...queueRows("nyiso", { count: 20 }),
			row("nyiso", { number, name: "Wallkill Storage", county: "Orange", queueDate: "2020-05-04" }),
			row("nyiso", { number: "0777", name: "Alder Solar", state: "NY", county: "Clinton" }),
			row("nyiso", { number: "0778", name: "Alder Solar", state: "NY", county: "Orange" }),
		]);
	await queue.take("NYISO", "2026-03-01", await nyiso("C24-052-001"));
	await queue.take("NYISO", "2026-04-01", await nyiso("C24-052"));
	const miso = [{ number: "J8888", cycle: "DPP-2099-Cycle" }, ...standing()];
	const isone = [...queueRows("isone", { count: 20 }), kestrel];
	await queue.take("ISO-NE", "2026-04-01", await queueFile("isone", isone));
	await queue.take("MISO", "2026-04-01", misoJson(miso));
	const edition = csv([
		["q_id", "q_status", "entity", "region", "state", "type_clean", "mw1", "q_date", "project_name"],
		["777", "active", "ISO-NE", "ISO-NE", "ME", "Solar", 50, kestrel.queueDate, kestrel.name],
		["W-12", "withdrawn", "NYISO", "NYISO", "NY", "Storage", 50, "2020-05-11", "WALLKILL  storage"],
		["888", "active", "NYISO", "NYISO", "NY", "Solar", 50, "2001-01-01", "Unlisted Solar"],
	]);
	const path = "queued_up_thru2025.csv";
	const lbnl = await loadLbnl(queue.sql, { name: path, path, bytes: edition }, new Date("2026-04-02T00:00:00Z"));
	expect(lbnl).toMatchObject({ outcome: "applied" });
	const forms = await Promise.all([utilityFile(), plantFile(), solarFile([{ plant: 60001, generator: "PV1" }])]);
	expect(
		await loadEia860(queue.sql, forms, { resolve: resolveOwners, now: () => new Date("2026-04-02T00:00:00Z") }),
	).toMatchObject({
		outcome: "applied",
	});
});

describe("a number", () => {
	it("in any spelling resolves to the request, and names the row of its list", async () => {
		for (const q of ["MISO-J8888", "J8888", "miso-j8888", " j8888 "]) {
			const answer = await queue.ask("resolve", { q });
			expect(answer, q).toMatchObject({ outcome: "found", project: { id: "MISO-J8888" }, confidence: 1, reason: null });
			expect(answer.evidence, q).toMatchObject({ source: "miso", row: 1 });
		}
	});

	it("of the past resolves to the request as a former number", async () => {
		expect(await queue.ask("resolve", { q: "NYISO-C24-052" })).toMatchObject({
			method: "number",
			project: { id: "NYISO-C24-052-001", queue_id: "C24-052" },
		});
		expect(await queue.ask("resolve", { q: "c24-052-001" })).toMatchObject({
			method: "former_number",
			project: { id: "NYISO-C24-052-001" },
			evidence: { text: "was filed under the number C24-052-001, first in a list of 2026-03-01" },
		});
	});

	it("of two operators is ambiguous without a region", async () => {
		const answer = await queue.ask("resolve", { q: "777" });
		expect(answer).toMatchObject({ outcome: "ambiguous", project: null, alternatives_total: 2 });
		expect(answer.alternatives.map(({ project }) => project.id).sort()).toEqual(["ISO-NE-777", "NYISO-0777"]);
		expect(await queue.ask("resolve", { q: "777", region: "NYISO" })).toMatchObject({
			outcome: "found",
			project: { id: "NYISO-0777" },
		});
	});

	it("that contradicts the stated location is not resolved", async () => {
		expect(await queue.ask("resolve", { q: "J8888", state: "CA" })).toMatchObject({
			outcome: "contradicted",
			project: null,
			alternatives: [{ project: { id: "MISO-J8888" } }],
		});
	});

	it("of a cluster resolves only if the cluster has one request", async () => {
		expect(await queue.ask("resolve", { q: "cluster:dpp-2099-cycle" })).toMatchObject({
			outcome: "found",
			method: "cluster",
			project: { id: "MISO-J8888" },
		});
		expect(await queue.ask("resolve", { q: "cluster:DPP-2022-Cycle" })).toMatchObject({
			outcome: "ambiguous",
			project: null,
		});
	});
});

describe("another publisher's number", () => {
	it("of Berkeley Lab resolves to the operator's number, or by name and date", async () => {
		for (const q of ["lbnl:777", "LBNL:iso-ne/777"])
			expect(await queue.ask("resolve", { q })).toMatchObject({ method: "lbnl_number", project: { id: "ISO-NE-777" } });
		expect(await queue.ask("resolve", { q: "lbnl:NYISO/W-12" })).toMatchObject({
			method: "lbnl_name",
			project: { id: "NYISO-C24-052-001" },
			evidence: { text: expect.stringContaining("NYISO/W-12 (WALLKILL storage)") },
		});
	});

	it("that resolves to no request returns how far it was followed", async () => {
		const reason = async (q: string) => {
			const { outcome, project, reason } = await queue.ask("resolve", { q });
			expect([outcome, project]).toEqual(["not_found", null]);
			return reason;
		};
		expect(await reason("lbnl:888")).toContain("Unlisted Solar");
		expect(await reason("lbnl:4711")).toBe("no loaded edition of Berkeley Lab's list has the number 4711");
		expect(await reason("eia:60001")).toBe("EIA plant 60001 (Larkspur Ridge Solar) is not linked to a request");
		expect(await reason("eia:60001/PV9")).toContain("has no generator PV9");
		expect(await reason("eia:1")).toContain("no loaded form EIA-860");
		expect(await reason("gem:L100")).toContain("Global Energy Monitor");
		expect(await reason("35.4,-119.0")).toContain("within 5 km");
	});
});

describe("a name", () => {
	it("resolves to a request if the location distinguishes it from others of the name", async () => {
		expect(await queue.ask("resolve", { q: "alder SOLAR" })).toMatchObject({
			outcome: "ambiguous",
			alternatives_total: 2,
		});
		for (const query of [
			{ q: "Alder Solar, Clinton County, NY" },
			{ q: "Alder-Solar", state: "ny", county: "Clinton" },
			{ q: "Alder Solar, New York", county: "clinton county" },
		])
			expect(await queue.ask("resolve", query), query.q).toMatchObject({
				method: "name",
				confidence: 0.9,
				project: { id: "NYISO-0777" },
			});
		expect(await queue.ask("resolve", { q: "Alder Solar, Kern County, CA" })).toMatchObject({ outcome: "not_found" });
	});
});

describe("many queries", () => {
	it("are answered in their order", async () => {
		const { data } = await queue.ask("resolveMany", {
			queries: [{ q: "nothing so" }, { q: "J8888" }, { q: "C24-052" }],
		});
		expect(data.map(({ outcome, project }) => [outcome, project?.id ?? null])).toEqual([
			["not_found", null],
			["found", "MISO-J8888"],
			["found", "NYISO-C24-052-001"],
		]);
	});
});

describe("an id that was published", () => {
	const numbered = (number: string) => row("nyiso", { number, name: `Heron ${number}`, poi: `Heron ${number} 345kV` });

	it("resolves, or is 410 with the reason, whatever happened to its list", async () => {
		await using own = await openQueue();
		const list = (...numbers: string[]) =>
			queueFile("nyiso", [...queueRows("nyiso", { count: 20 }), ...numbers.map(numbered)]);
		await own.take("NYISO", "2026-03-01", await list("0901"));
		// A list that was a mistake, and one that is loaded after newer ones.
		await own.take("NYISO", "2026-03-02", await list("0901", "0902"));
		await own.retract("NYISO", "2026-03-03");
		const file = await list("0901", "0903");
		const files = [{ ...file, path: file.name }];
		expect(
			await ingestLate(own.sql, { region: "NYISO", files, asOf: "2026-02-01T06:00:00Z", accept: true }),
		).toMatchObject({
			outcome: "backfilled",
		});
		const ids = await own.sql<{ id: string }[]>`
			select project_id as id from project_versions union select project_id from changes where project_id is not null
			union select id from projects order by 1`;
		expect(ids.map(({ id }) => id)).toEqual(expect.arrayContaining(["NYISO-0901", "NYISO-0902", "NYISO-0903"]));
		const outcomes = new Map<string, number>();
		for (const { id } of ids) {
			const status = await own.ask("getProject", { project_id: id }).then(
				() => 200,
				(error: { status: number }) => error.status,
			);
			outcomes.set(id, status);
		}
		expect([...outcomes].filter(([, status]) => status !== 200 && status !== 410)).toEqual([]);
		expect(outcomes.get("NYISO-0902")).toBe(410);
		expect(await own.ask("resolve", { q: "NYISO-0902" })).toMatchObject({
			outcome: "gone",
			project: null,
			reason: "NYISO-0902 was only in lists that were retracted as mistaken",
		});
		// A request that only a late list shows has been missing since the next list.
		expect(await own.ask("getProject", { project_id: "NYISO-0903" })).toMatchObject({
			first_seen_at: "2026-02-01T06:00:00Z",
			missing_since: "2026-03-01T06:00:00Z",
		});
		expect((await own.ask("getProject", { project_id: "NYISO-0903", as_of: "2026-02-10" })).id).toBe("NYISO-0903");
	});
});
